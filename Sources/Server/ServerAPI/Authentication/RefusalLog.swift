import Clientless
import HTTPServer
import Observability
import Synchronization

/// Which check a signed call did not pass (rest-v1 7.3). For operators: every one of them is the same to the caller.
enum SignatureFault: String, Hashable, Sendable {
    case header = "the header cannot be read"
    case requestorName = "the header names no possible requestor"
    case key = "the key is not known, or has ended"
    case sealed = "the key pair is sealed with a key that is not in the key folder"
    case requestor = "the key is not the requestor's"
    case signature = "the signature is wrong"
    case clock = "the clock of the box is off"
    case nonce = "the nonce was used before"
    case line = "the signed verb or URI is not that of the call"
}

/// Says why calls were refused: one line a minute for each cause, credential and requestor, with the number of those
/// that had none.
///
/// Strangers choose what they send, so what is remembered is bounded: past ``bound`` causes in one minute there is one
/// line for all others together.
final class RefusalLog: Sendable {
    struct Origin: Hashable, Sendable {
        /// A public key, as sent.
        var key: String?
        var requestor: RequestorID?
        var network: String
        var request: RequestID
    }

    private struct Cause: Hashable {
        let reason: String
        let key: String?
        let requestor: RequestorID?
    }

    private static let bound = 256
    private static let period: Duration = .seconds(60)
    private static let others = Cause(reason: "various causes", key: nil, requestor: nil)

    private let logger: Logger
    private let lines = Mutex<[Cause: (since: Timestamp, suppressed: Int)]>([:])

    init(_ logger: Logger) { self.logger = logger.named("authentication") }

    /// - Parameter isServed: whether the call was answered all the same.
    func note(_ reason: String, _ origin: Origin, isServed: Bool = false, now: Timestamp) {
        let given = Cause(reason: reason, key: origin.key.flatMap(Self.shown), requestor: origin.requestor)
        let (cause, suppressed) = self.lines.withLock { lines -> (Cause, Int?) in
            var cause = given
            if lines[given] == nil, lines.count >= Self.bound {
                let over = lines.filter { now - $0.value.since >= Self.period || $0.value.since > now }
                for key in over.keys { lines[key] = nil }
                let untold = over.values.reduce(0) { $0 + $1.suppressed }
                if untold > 0 || lines.count >= Self.bound { cause = Self.others }
                // Calls whose cause is forgotten count among all others.
                if untold > 0 { lines[cause, default: (Timestamp(seconds: 0), 0)].suppressed += untold }
            }
            guard let line = lines[cause], now - line.since < Self.period, line.since <= now else {
                let suppressed = lines[cause]?.suppressed ?? 0
                lines[cause] = (now, 0)
                return (cause, suppressed)
            }
            lines[cause] = (line.since, line.suppressed + 1)
            return (cause, nil)
        }
        guard let suppressed else { return }
        var facts: LogFacts = [
            .reason: .text(cause.reason), .network: .text(origin.network),
            .requestID: .text(origin.request.description), .count: .number(suppressed),
        ]
        if let key = cause.key { facts[.keyID] = .text(key) }
        if let requestor = cause.requestor { facts[.requestor] = .text(requestor.text) }
        if isServed {
            self.logger.info("a call with a fault was served; count tells of such calls without a line", facts)
        } else {
            self.logger.warning("a call was refused; count tells of such calls without a line", facts)
        }
    }

    /// A public key as it may stand in a log: nothing but what keys are made of.
    private static func shown(_ key: String) -> String? {
        let isShort = (1...64).contains(key.utf8.count)
        return isShort && key.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) } ? key : nil
    }
}
