import Clientless
import Cryptography
import HTTPServer

/// A cookie of pages: of this host alone, out of the reach of scripts, and not sent with forms of other sites.
///
/// The prefix `__Host-` keeps neighbours of the same domain from planting one (RFC 6265bis 4.1.3); browsers take it over
/// encrypted connections only.
struct PageCookie: Sendable {
    private let plainName: String
    /// The text behind its value.
    private let attributes: String

    /// - Parameters:
    ///   - lifetime: in seconds; `nil` ends with the browser.
    ///   - isStrict: whether links of other sites do not bring it along either.
    init(_ name: String, lifetime: Int?, isStrict: Bool = false) {
        let age = lifetime.map { "; Max-Age=\($0)" } ?? ""
        self.plainName = name
        self.attributes = "; Path=/\(age); HttpOnly; SameSite=\(isStrict ? "Strict" : "Lax")"
    }

    func value(in request: HTTPRequest, isSecure: Bool) -> String? { request.cookie(self.name(isSecure)) }

    /// The value of `Set-Cookie`.
    func setting(_ value: String, isSecure: Bool) -> String {
        self.name(isSecure) + "=" + value + self.attributes + (isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` that makes the browser forget.
    func forgetting(isSecure: Bool) -> String {
        PageCookie(self.plainName, lifetime: 0).setting("", isSecure: isSecure)
    }

    private func name(_ isSecure: Bool) -> String { isSecure ? "__Host-\(self.plainName)" : self.plainName }
}

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

/// The name of the account a viewer signed in with last, kept in a cookie of their browser because they wanted it, and
/// nowhere else. It opens nothing: the password is asked for every time.
enum RememberedAccount {
    private static let cookie = PageCookie("latchkey-account", lifetime: 365 * 24 * 3600)
    /// The longest name that is kept, in bytes.
    private static let maximumName = 256

    /// The browser's memory, if it could be such a name.
    static func of(_ request: HTTPRequest, isSecure: Bool) -> (mvpd: MVPDID, account: String)? {
        guard let text = self.cookie.value(in: request, isSecure: isSecure), text.utf8.count <= 512,
            let bytes = Base64.decodeURL(text), let plain = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = plain.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let mvpd = MVPDID(String(parts[0])),
            (1...self.maximumName).contains(parts[1].utf8.count)
        else { return nil }
        return (mvpd, String(parts[1]))
    }

    /// The value of `Set-Cookie`; `nil` for a name that is too long to be kept.
    static func cookie(_ mvpd: MVPDID, _ account: String, isSecure: Bool) -> String? {
        guard (1...self.maximumName).contains(account.utf8.count) else { return nil }
        return self.cookie.setting(Base64.encodeURL(Array("\(mvpd.text)\n\(account)".utf8)), isSecure: isSecure)
    }

    static func forgetting(isSecure: Bool) -> String { self.cookie.forgetting(isSecure: isSecure) }
}
