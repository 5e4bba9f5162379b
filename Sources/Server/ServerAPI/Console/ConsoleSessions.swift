import Clientless
import Synchronization

/// The operators who are signed in at the console, in memory: a restart signs all out.
final class ConsoleSessions: Sendable {
    /// However busy the operator is, a day's work ends.
    static let lifetime: Duration = .seconds(12 * 3600)
    /// The most at a time; the one that ends first makes room.
    static let most = 256

    /// The cookie by which the console knows a browser again; the forms' tokens are bound to it.
    static let cookie = PageCookie("latchkey-console", lifetime: nil, isStrict: true)

    private let all = Mutex<[[UInt8]: (client: String, ends: Timestamp)]>([:])

    /// Notes that the browser with this session hash signed in as `client`.
    func add(_ session: [UInt8], client: String, now: Timestamp) {
        self.all.withLock { all in
            all = all.filter { now < $0.value.ends }
            if all.count >= Self.most, let first = all.min(by: { $0.value.ends < $1.value.ends })?.key {
                all[first] = nil
            }
            all[session] = (client, now + Self.lifetime)
        }
    }

    /// The client ID of the browser with this session hash; `nil` if it is not signed in, or not any more.
    func client(of session: [UInt8], at now: Timestamp) -> String? {
        self.all.withLock { all in all[session].flatMap { now < $0.ends ? $0.client : nil } }
    }

    func remove(_ session: [UInt8]) {
        self.all.withLock { $0[session] = nil }
    }
}
