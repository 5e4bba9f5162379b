import Clientless
import Cryptography
import HTTPServer
import Synchronization

/// The secret by which the console knows a browser again: 32 random bytes in a cookie of its own. Its hash says who signed
/// in; the forms' tokens are bound to it.
struct ConsoleSession: Sendable {
    private static let size = 32

    let browser: BrowserSession

    /// The session of the browser that sent `request`, or a new one.
    init(of request: HTTPRequest) {
        if let text = request.cookie(Self.name(isSecure: request.isSecure)), text.utf8.count <= 64,
            let bytes = Base64.decodeURL(text), bytes.count == Self.size
        {
            self.browser = BrowserSession(secret: Secret(bytes), isNew: false)
        } else {
            self.browser = Self.fresh
        }
    }

    /// A session that no browser has yet.
    init() {
        self.browser = Self.fresh
    }

    private static var fresh: BrowserSession {
        BrowserSession(secret: Secret(SecureRandom.bytes(Self.size)), isNew: true)
    }

    /// The value of `Set-Cookie`; the cookie ends with the browser, and no form of another site brings it along.
    func cookie(isSecure: Bool) -> String {
        let value = self.browser.secret.withBytes { Base64.encodeURL($0) }
        return
            "\(Self.name(isSecure: isSecure))=\(value); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    private static func name(isSecure: Bool) -> String {
        isSecure ? "__Host-latchkey-console" : "latchkey-console"
    }
}

/// The operators who are signed in at the console, in memory: a restart signs all out.
final class ConsoleSessions: Sendable {
    /// However busy the operator is, a day's work ends.
    static let lifetime: Duration = .seconds(12 * 3600)
    /// The most at a time; the one that ends first makes room.
    static let most = 256

    private struct SignedIn {
        let client: String
        let ends: Timestamp
    }

    private let all = Mutex<[[UInt8]: SignedIn]>([:])

    /// Notes that the browser with this session hash signed in as `client`.
    func add(_ session: [UInt8], client: String, now: Timestamp) {
        self.all.withLock { all in
            all = all.filter { now < $0.value.ends }
            if all.count >= Self.most, let first = all.min(by: { $0.value.ends < $1.value.ends })?.key {
                all[first] = nil
            }
            all[session] = SignedIn(client: client, ends: now + Self.lifetime)
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
