/// How a program ended, as the shell sees it. The numbers are documented in the help texts and do not change.
///
/// 64 to 78 keep the meaning of `sysexits.h`; 2 to 7 are answers a script on a box wants to tell apart.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The command did its work.
    package static let success = ExitCode(rawValue: 0)
    /// It failed for a reason that has no number of its own.
    package static let failure = ExitCode(rawValue: 1)
    /// No viewer is signed in on this box.
    package static let notSignedIn = ExitCode(rawValue: 2)
    /// The provider says no for this resource.
    package static let notAuthorized = ExitCode(rawValue: 3)
    /// The viewer declined or cancelled the sign-in on the second screen.
    package static let declined = ExitCode(rawValue: 4)
    /// The code ran out before a viewer finished.
    package static let expired = ExitCode(rawValue: 5)
    /// Another agent runs on this box.
    package static let alreadyRunning = ExitCode(rawValue: 6)
    /// No TV provider works with the brand that the box signs in for.
    package static let noProvider = ExitCode(rawValue: 7)
    /// The command line cannot be understood (`EX_USAGE`).
    package static let usage = ExitCode(rawValue: 64)
    /// The input to check is not right, such as a media token that does not verify (`EX_DATAERR`).
    package static let invalidData = ExitCode(rawValue: 65)
    /// The other end cannot be reached, or does not answer usefully (`EX_UNAVAILABLE`).
    package static let unreachable = ExitCode(rawValue: 69)
    /// The program found itself in a state it does not understand (`EX_SOFTWARE`).
    package static let internalError = ExitCode(rawValue: 70)
    /// The address to listen on cannot be had (`EX_OSERR`).
    package static let addressUnavailable = ExitCode(rawValue: 71)
    /// The key files are missing, unsafe or unusable (`EX_OSFILE`).
    package static let keysUnusable = ExitCode(rawValue: 72)
    /// A file or folder of ours cannot be read, written or locked (`EX_IOERR`).
    package static let stateProblem = ExitCode(rawValue: 74)
    /// The time limit that was given passed, and nothing is wrong (`EX_TEMPFAIL`).
    package static let timedOut = ExitCode(rawValue: 75)
    /// The server refuses our credentials (`EX_NOPERM`).
    package static let credentialsRefused = ExitCode(rawValue: 77)
    /// The configuration is missing or wrong (`EX_CONFIG`).
    package static let configuration = ExitCode(rawValue: 78)
    /// Stopped by SIGINT (128 + 2).
    package static let interrupted = ExitCode(rawValue: 130)
    /// Stopped by SIGTERM (128 + 15).
    package static let terminated = ExitCode(rawValue: 143)

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
        case .interrupted: "interrupted (SIGINT)"
        case .terminated: "stopped (SIGTERM)"
        default: "exit code \(self.rawValue)"
        }
    }
}
