import AccessEnabler
import Synchronization

/// Why a call cannot be served now, for people: the server is of no use, or what it says cannot be kept.
struct ServerTrouble: Hashable, Sendable {
    let code: AgentError.Code
    let message: String
    /// After how many seconds it is worth asking again.
    let retryAfter: Int

    /// - Parameter server: the address, as the configuration has it.
    init(_ error: EntitlementError, server: String) {
        self.retryAfter = max(2, Int(clamping: error.retryAfter?.components.seconds ?? 5))
        var code = AgentError.Code.unreachable
        switch error.code {
        case .noAccessToken where (error.status ?? 500) >= 500: self.message = Self.unreachable(server)
        case .untrusted:
            self.message =
                "The certificate of \(server) is not trusted: it is another server's, it has run out, or this box's clock is "
                + "wrong."
        case .serverFault: self.message = "\(server) has a fault (\(error.status ?? 500))."
        case .providerFault: self.message = "The TV provider gives no decision now."
        case .throttled: self.message = "\(server) asks to be left alone for a while."
        case .malformedAnswer: self.message = "\(server) does not answer as expected."
        case .credentialsRefused, .unauthorized, .unknownClient, .notRegistered, .noAccessToken:
            code = .credentialsRefused
            self.message = "\(server) refuses this box's credentials."
        case .refused:
            code = .credentialsRefused
            self.message = "\(server) does not know the requestor, or refuses it."
        case .state:
            code = .storage
            self.message = error.storeSentence
        default: self.message = Self.unreachable(server)
        }
        self.code = code
    }

    /// The sentence of a server that does not answer at all.
    static func unreachable(_ server: String) -> String { "\(server) cannot be reached." }
}

extension EntitlementError {
    /// Why the state cannot be kept, as a sentence.
    var storeSentence: String { self.detail.map { "\($0)." } ?? "The state file cannot be used." }
}

/// Whether the state of a requestor can be kept, by the last attempt to do so.
final class StoreHealth: Sendable {
    /// Between two looks at a store that failed: each writes to the disk.
    private static let pause: Duration = .seconds(1)

    private let last = Mutex<(fault: EntitlementError?, looked: Duration?)>((nil, nil))

    /// Why the state could not be kept; `nil` if it could, and before the first attempt.
    var fault: EntitlementError? { self.last.withLock { $0.fault } }

    /// Whether a store that failed is worth another look; counts as looked at then.
    /// - Parameter now: on a clock that cannot be set.
    func isDueForLook(at now: Duration) -> Bool {
        self.last.withLock { last in
            guard last.fault != nil, last.looked.map({ now - $0 >= Self.pause }) ?? true else { return false }
            last.looked = now
            return true
        }
    }

    /// - Returns: whether that is news: it could be kept before, or can be again.
    func note(_ fault: EntitlementError?) -> Bool {
        self.last.withLock { last in
            defer { last.fault = fault }
            return (last.fault == nil) != (fault == nil)
        }
    }
}
