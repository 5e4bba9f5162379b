import Clientless
import Entitlement

/// How far a login is, whatever page the browser asks for: the one answer to reloads, the Back button and forms that
/// are sent twice.
enum LoginStage: Hashable, Sendable {
    case signIn
    case confirm
    case done
    /// Final; no way back leads to a confirmation.
    case declined
    /// The code is over, or another login completed it.
    case gone

    init(_ view: LoginView, now: Timestamp) {
        let life = view.record.life
        let state = life.state(at: now)
        switch (view.attempt.progress, state) {
        case (_, .declined):
            self = .declined
        case (.closed, _):
            // A login is closed by completing the code or by declining it.
            self = .done
        case (.atProvider, .completed), (.accepted, .completed), (.atProvider, .cancelled), (.accepted, .cancelled):
            self = .gone
        case (.atProvider, .expired) where now >= life.expires + RegistrationCode.grace,
            (.accepted, .expired) where now >= life.expires + RegistrationCode.grace:
            self = .gone
        case (.atProvider, .waiting), (.atProvider, .loggingIn), (.atProvider, .confirming), (.atProvider, .expired):
            self = .signIn
        case (.accepted, .waiting), (.accepted, .loggingIn), (.accepted, .confirming), (.accepted, .expired):
            self = .confirm
        }
    }
}
