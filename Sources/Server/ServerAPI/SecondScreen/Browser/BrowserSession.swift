import Cryptography
package import Entitlement
package import HTTPServer

/// The secret by which one browser is known again: 32 random bytes in a cookie, and nothing on the server.
///
/// A login belongs to the browser session that began it. An address with a login's token in it, copied or leaked, opens
/// nothing in another browser (rest-v1 3.8).
package struct BrowserSession: Sendable {
    private static let size = 32
    /// A login takes minutes, and the specification allows a short-lived cookie only (rest-v1 3.8).
    private static let cookie = PageCookie("latchkey", lifetime: 24 * 3600)

    package let identity: Browser
    /// The browser has not been given it yet; the answer must carry ``cookie(isSecure:)``.
    package let isNew: Bool
    private let cookie: PageCookie

    /// The session of the browser that sent `request`, or a new one.
    /// - Parameter isSecure: whether the browser's own connection is encrypted, perhaps to a proxy in front.
    package static func of(_ request: HTTPRequest, isSecure: Bool) -> BrowserSession {
        BrowserSession(of: request, in: self.cookie, isSecure: isSecure)
    }

    /// The same of pages with another cookie.
    init(of request: HTTPRequest, in cookie: PageCookie, isSecure: Bool) {
        let text = cookie.value(in: request, isSecure: isSecure)
        let bytes = text.flatMap { $0.utf8.count <= 64 ? Base64.decodeURL($0) : nil }
        self.init(bytes?.count == Self.size ? bytes : nil, cookie)
    }

    init(in cookie: PageCookie) {
        self.init(nil, cookie)
    }

    private init(_ known: [UInt8]?, _ cookie: PageCookie) {
        self.identity = Browser(Secret(known ?? SecureRandom.bytes(Self.size)))
        self.isNew = known == nil
        self.cookie = cookie
    }

    /// The value of `Set-Cookie`.
    package func cookie(isSecure: Bool) -> String {
        self.cookie.setting(self.identity.secret.withBytes { Base64.encodeURL($0) }, isSecure: isSecure)
    }
}
