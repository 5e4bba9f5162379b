package import Clientless
package import Cryptography

/// A TV provider behind one protocol. Implementations live in Providers.
package protocol Provider: Sendable {
    /// Starts a login: where the browser goes next.
    func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover

    /// Ends a login with what came back from the browser.
    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict

    /// Decides on resources, in the order asked.
    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision]

    /// Vouches for the viewer of a kept session once more, without a browser (sdk-services 6).
    /// - Returns: `nil` when the provider has no such way.
    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict?

    /// Whether the viewer's account is still there. Asked when a viewer confirms a box, which may be minutes after the
    /// provider accepted the login.
    func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool

    /// Finds the viewer for whom the platform's issuer vouched (rest-v1 21), in the provider's own terms.
    /// - Parameter login: as the issuer says it.
    /// - Returns: `login` itself, where the provider keeps no accounts that it could be told by.
    func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict

    /// Ends the viewer's session at the provider, as far as it has a way to.
    func endSession(_ session: ProviderSession) async throws(ProviderError) -> ProviderLogout
}

extension Provider {
    package func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict? { nil }

    package func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool { true }

    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict { .accepted(login) }

    package func endSession(_ session: ProviderSession) async throws(ProviderError) -> ProviderLogout { .done }
}

/// What a provider is told about a login.
package struct ProviderLoginContext: Hashable, Sendable {
    package let mvpd: MVPDID
    package let requestor: RequestorID

    package init(mvpd: MVPDID, requestor: RequestorID) {
        self.mvpd = mvpd
        self.requestor = requestor
    }
}

/// How the browser reaches the provider (rest-v1 13.3).
package enum ProviderHandover: Hashable, Sendable {
    /// The server's own sign-in page.
    case signInPage
    case redirect(url: String)
    /// The provider accepts without a login page (rest-v1 20, 25).
    case accepted(ProviderLogin)
}

/// What came back from the browser.
package enum ProviderResponse: Sendable {
    case password(account: String, password: Secret)
}

package enum ProviderVerdict: Hashable, Sendable {
    case accepted(ProviderLogin)
    /// The sentence is for the viewer.
    case refused(reason: String?)
    /// The name or the password is wrong. Boxes are told the sentence; the sign-in page has its own, in the viewer's
    /// language.
    case wrongCredentials(reason: String)
}

/// How a session at a provider ended.
package enum ProviderLogout: Hashable, Sendable {
    case done
    /// Only the viewer's browser can end it, at this address.
    case userAgent(url: String)
}

/// A provider did not answer in a usable way.
package struct ProviderError: Error, Hashable, Sendable {
    /// For operators; never sent.
    package let detail: String

    package init(detail: String) {
        self.detail = detail
    }
}
