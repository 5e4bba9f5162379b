import HTTPServer

/// The login this browser went through last, kept in its cookie for as long as the store keeps the login.
///
/// It tells a viewer who enters a code again what became of it. The token opens nothing without the browser's session.
enum LastLogin {
    private static let cookie = PageCookie("latchkey-login", lifetime: 15 * 60)

    /// The login's token, if the browser remembers one that could be.
    static func of(_ request: HTTPRequest, isSecure: Bool) -> String? {
        self.cookie.value(in: request, isSecure: isSecure).flatMap { self.isToken($0) ? $0 : nil }
    }

    /// The value of `Set-Cookie`; `nil` if it is no token.
    static func cookie(_ token: String, isSecure: Bool) -> String? {
        self.isToken(token) ? self.cookie.setting(token, isSecure: isSecure) : nil
    }

    private static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }
}
