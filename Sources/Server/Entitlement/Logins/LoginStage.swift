package import Clientless

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
    /// How far the login is at `now`.
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
