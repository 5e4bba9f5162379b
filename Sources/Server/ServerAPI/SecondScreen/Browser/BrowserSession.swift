package import Cryptography
package import HTTPServer

/// The secret by which one browser is known again: 32 random bytes in a cookie, and nothing on the server.
///
/// A login belongs to the browser session that began it. An address with a login's token in it, copied or leaked, opens
/// nothing in another browser (rest-v1 3.8).
package struct BrowserSession: Sendable {
    private static let size = 32
    /// A login takes minutes, and the specification allows a short-lived cookie only (rest-v1 3.8).
    private static let cookie = PageCookie("latchkey", lifetime: 24 * 3600)

    package let secret: Secret
    /// The browser has not been given it yet; the answer must carry ``cookie(isSecure:)``.
    package let isNew: Bool

    /// The session of the browser that sent `request`, or a new one.
    /// - Parameter isSecure: whether the browser's own connection is encrypted, perhaps to a proxy in front.
    package static func of(_ request: HTTPRequest, isSecure: Bool) -> BrowserSession {
        if let text = self.cookie.value(in: request, isSecure: isSecure), text.utf8.count <= 64,
            let bytes = Base64.decodeURL(text), bytes.count == self.size
        {
            return BrowserSession(secret: Secret(bytes), isNew: false)
        }
        return BrowserSession(secret: Secret(SecureRandom.bytes(self.size)), isNew: true)
    }

    /// The value of `Set-Cookie`.
    package func cookie(isSecure: Bool) -> String {
        Self.cookie.setting(self.secret.withBytes { Base64.encodeURL($0) }, isSecure: isSecure)
    }
}
