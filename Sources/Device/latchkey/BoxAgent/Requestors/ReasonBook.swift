import AccessEnabler
import Clientless
import POSIX
import Synchronization

/// Why each requestor has no sign-in, over restarts. Best effort: without the file the box only knows less.
final class ReasonBook: Sendable {
    private let file: PrivateFile
    private let reasons: Mutex<[String: BoxEvent.Reason]>
    private let thread = SerialThread()

    init(path: String) {
        self.file = PrivateFile(path)
        var known: [String: BoxEvent.Reason] = [:]
        if let content = try? WholeFile.read(path, limit: 256 << 10),
            case .object(let members) = JSONValue(reading: content)
        {
            for member in members { known[member.name] = member.value.string.flatMap { BoxEvent.Reason(rawValue: $0) } }
        }
        self.reasons = Mutex(known)
    }

    subscript(requestor: String) -> BoxEvent.Reason? { self.reasons.withLock { $0[requestor] } }

    /// Keeps a reason; `nil` once a viewer is signed in.
    func note(_ reason: BoxEvent.Reason?, for requestor: String) {
        let changed = self.reasons.withLock { reasons -> [String: BoxEvent.Reason]? in
            guard reasons[requestor] != reason else { return nil }
            reasons[requestor] = reason
            return reasons
        }
        guard let changed else { return }
        let members = changed.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value.rawValue)) }
        let content = Array((JSONValue.object(members).text + "\n").utf8)
        self.thread.run { [file] in try? file.replace(content) }
    }
}
