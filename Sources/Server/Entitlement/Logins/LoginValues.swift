package import Clientless

/// A viewer who picked a provider for a code.
package struct LoginRequest: Sendable {
    package let code: RegistrationCodeText
    /// The requestor the page speaks for; `nil` on the server's own page, where the code names it.
    package let requestor: RequestorID?
    package let mvpd: MVPDID
    package let origin: LoginAttempt.Origin
    /// The secret of the browser session, so that no other browser can go on with the login.
    package let browser: Browser
    /// The address of this server that the provider sends the browser back to.
    package let callback: String
    /// The viewer must not be asked anything.
    package let isPassive: Bool
    /// The person who tries a promotional trial, when the page said so (rest-v1 20.3).
    package let person: TrialIdentity?
    /// The sign-in that its browser goes on with, at the same provider.
    package let recent: RecentSignIn?
    /// ``ProviderLoginContext/asksAnew``.
    package let asksAnew: Bool

    package init(
        code: RegistrationCodeText, requestor: RequestorID?, mvpd: MVPDID, origin: LoginAttempt.Origin,
        browser: Browser, callback: String, isPassive: Bool = false, person: TrialIdentity? = nil,
        recent: RecentSignIn? = nil, asksAnew: Bool = false
    ) {
        self.code = code
        self.requestor = requestor
        self.mvpd = mvpd
        self.origin = origin
        self.browser = browser
        self.callback = callback
        self.isPassive = isPassive
        self.person = person
        self.recent = recent
        self.asksAnew = asksAnew
    }
}

/// A login that began: the attempt's secret, 43 URL-safe characters that open nothing without the browser session; how the
/// browser reaches the provider; and what a page shows.
package typealias LoginStart = (token: String, handover: ProviderHandover, view: LoginView)

/// The part of a login that a page shows.
package struct LoginView: Sendable {
    package internal(set) var attempt: LoginAttempt
    package let record: RegistrationRecord
    package let requestor: Requestor
    package let mvpd: MVPD
    /// The sign-in that this very step made.
    var signIn: AuthNRecord?
}

package enum LoginStep: Sendable {
    /// The login is at another stage now (``LoginView/stage(at:)``).
    case went(LoginView)
    /// The provider said no; the viewer may try again. The sentence is the provider's own; `nil` when
    /// the page has to find one.
    case refused(LoginView, reason: String?)
}

/// How far a login is, whatever page the browser asks for: the one answer to reloads, the Back button and forms that
/// are sent twice.
package enum LoginStage: Hashable, Sendable {
    case signIn
    /// The browser is to go to the provider, and to come back with its answer.
    case handedOver
    /// The provider's answer was taken, and was no yes so far. The viewer begins anew.
    case answered
    case confirm
    /// The viewer is known, and sees their boxes.
    case boxes
    case done
    /// Final; no way back leads to a confirmation.
    case declined
    /// The code is over, or another login completed it.
    case gone
}

extension LoginView {
    package func stage(at now: Timestamp) -> LoginStage {
        let life = self.record.life
        if case .declined = life.state(at: now) { return .declined }
        switch self.attempt.progress {
        case .completed, .closed:
            // A login is closed by completing the code or by declining it.
            return .done
        case .atProvider: return life.takesLogin(at: now) ? .signIn : .gone
        case .handedOver: return life.takesLogin(at: now) ? .handedOver : .gone
        case .answered: return life.takesLogin(at: now) ? .answered : .gone
        case .accepted:
            guard life.takesLogin(at: now) else { return .gone }
            return switch self.attempt.origin {
            case .secondScreen, .foreignPage: .confirm
            case .boxList: .boxes
            }
        }
    }
}
