import Clientless
import Cryptography
import HTTPServer

/// The name of the account a viewer signed in with last, kept in a cookie of their browser because they wanted it, and
/// nowhere else. It opens nothing: the password is asked for every time.
struct RememberedAccount: Hashable, Sendable {
    private static let cookie = PageCookie("latchkey-account", lifetime: 365 * 24 * 3600)
    /// The longest name that is kept, in bytes.
    private static let maximumName = 256

    let mvpd: MVPDID
    let account: String

    /// - Returns: `nil` for a name that is too long to be kept.
    init?(_ mvpd: MVPDID, _ account: String) {
        guard (1...Self.maximumName).contains(account.utf8.count) else { return nil }
        self.mvpd = mvpd
        self.account = account
    }

    /// The browser's memory, if it could be such a name.
    static func of(_ request: HTTPRequest, isSecure: Bool) -> RememberedAccount? {
        guard let text = self.cookie.value(in: request, isSecure: isSecure), text.utf8.count <= 512,
            let bytes = Base64.decodeURL(text), let plain = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = plain.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let mvpd = MVPDID(String(parts[0])) else { return nil }
        return RememberedAccount(mvpd, String(parts[1]))
    }

    /// The value of `Set-Cookie`.
    func cookie(isSecure: Bool) -> String {
        Self.cookie.setting(
            Base64.encodeURL(Array("\(self.mvpd.text)\n\(self.account)".utf8)), isSecure: isSecure)
    }

    /// The value of `Set-Cookie` that makes the browser forget.
    static func forgetting(isSecure: Bool) -> String { self.cookie.forgetting(isSecure: isSecure) }
}
