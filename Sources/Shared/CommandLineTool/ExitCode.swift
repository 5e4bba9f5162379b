/// How a program ended, as the shell sees it. The numbers are documented in the help texts and do not change.
///
/// 2 to 7 are answers that a script on a box wants to tell apart; 64 to 78 keep the meaning of `sysexits.h`; from 128 on a
/// signal ended it, whose number is the rest.
package enum ExitCode: Int32, Sendable {
    case success = 0
    case failure = 1
    case notSignedIn = 2
    case notAuthorized = 3
    case declined = 4
    case expired = 5
    case alreadyRunning = 6
    case noProvider = 7
    case usage = 64
    case invalidData = 65
    case unreachable = 69
    case internalError = 70
    case addressUnavailable = 71
    case keysUnusable = 72
    case stateProblem = 74
    case timedOut = 75
    case credentialsRefused = 77
    case configuration = 78
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// The half sentence the help texts print beside the number.
    package var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "failed for another reason"
        case .notSignedIn: "nobody is signed in"
        case .notAuthorized: "not authorized for this resource"
        case .declined: "declined on the second screen"
        case .expired: "the code ran out"
        case .alreadyRunning: "another agent runs already"
        case .noProvider: "no TV provider can be used"
        case .usage: "the command line is wrong"
        case .invalidData: "the input does not check out"
        case .unreachable: "the server cannot be reached"
        case .internalError: "an internal error"
        case .addressUnavailable: "an address cannot be listened on"
        case .keysUnusable: "key files are missing or unsafe"
        case .stateProblem: "a file of ours cannot be read or written"
        case .timedOut: "the time limit passed"
        case .credentialsRefused: "the server refuses the credentials"
        case .configuration: "the configuration is missing or wrong"
        case .hungUp: "the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted (SIGINT)"
        case .terminated: "stopped (SIGTERM)"
        }
    }
}
