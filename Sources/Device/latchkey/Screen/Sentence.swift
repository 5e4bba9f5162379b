import AccessEnabler
import CommandLineTool

/// The sentence for a failure, and the exit code that goes with it.
struct Sentence {
    let text: String
    let exitCode: ExitCode

    init(_ error: EntitlementError, settings: Settings) {
        let server = settings.serverName
        let detail = error.detail.map { terminalSafe($0) }
        switch error.code {
        case .unreachable:
            self.init("\(server) cannot be reached. Is this box online?", .unreachable)
        case .untrusted:
            self.init("The certificate of \(server) is not trusted. This may not be the real server.", .unreachable)
        case .serverFault:
            self.init("\(server) has a fault (\(error.status ?? 500)). Please try again later.", .unreachable)
        case .throttled:
            let seconds = error.retryAfter.map { " in \($0.components.seconds) seconds" } ?? " later"
            self.init("\(server) is busy. Please try again\(seconds).", .unreachable)
        case .malformedAnswer:
            self.init("\(server) does not answer as expected. Is the address right?", .unreachable)
        case .credentialsRefused, .unauthorized, .unknownClient, .notRegistered, .noAccessToken:
            self.init(
                "\(server) refuses this box's credentials\(detail.map { " (\($0))" } ?? ""). "
                    + "Check softwareStatement or keyPair, and the clock.", .credentialsRefused)
        case .refused:
            self.init("\(server) refuses the request\(detail.map { ": \($0)" } ?? "").", .failure)
        case .notSignedIn, .sessionExpired, .sessionRevoked, .deviceMismatch:
            self.init("Nobody is signed in on this box. 'latchkey pair' signs in.", .notSignedIn)
        case .notAuthorized:
            self.init(detail ?? "The provider does not allow this.", .notAuthorized)
        case .state:
            self.init("\(detail ?? "The state file cannot be used").", .stateProblem)
        case .cancelled:
            self.init("Stopped.", .interrupted)
        default:
            self.init("Something unforeseen happened (\(error.code)).", .internalError)
        }
    }

    private init(_ text: String, _ exitCode: ExitCode) {
        self.text = text
        self.exitCode = exitCode
    }
}
