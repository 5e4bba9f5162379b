import Cryptography
import Entitlement
import HTTPServer

/// Proof that a form came from a page of ours that this browser was shown: a keyed hash of the browser's session and
/// the form's purpose. A foreign page can make a browser send a form, but it knows neither.
///
/// No page has the hash itself. Pages are sent compressed and show what is in their addresses. An attacker who makes a
/// browser ask for pages and sees how long the answers are could guess a hash that never changes piece by piece, by the
/// guess that makes the page shorter (BREACH, CVE-2013-3587). So each value masks it with a random pad of its own.
struct FormToken: Sendable {
    /// The action of a form; the token of one form opens no other.
    enum Purpose: String, Sendable {
        case code, provider, decline, signIn, confirm, boxes, boxNotice, passkeySignIn, passkey
        /// Those of the console.
        case consoleSignIn, consoleSignOut, consoleBoxes, consoleAudit, consoleCancel, consoleEnd,
            consoleRevoke
    }

    /// The hidden field's name.
    static let field = "form_token"
    /// The longest text in the field, in bytes: pad and masked hash in Base64.
    static let maximumSize = 96

    private let hash: [UInt8]
    init(_ purpose: Purpose, browser: BrowserSession, key: KeyedHash) {
        // The session has a fixed length, so that no two pairs give the same message.
        self.hash = browser.identity.secret.withBytes { key.hash(of: $0 + Array(purpose.rawValue.utf8)) }
    }

    /// The content of a page's token, another one each time: the pad, then the hash masked with it.
    var text: String {
        let pad = SecureRandom.bytes(self.hash.count)
        return Base64.encodeURL(pad + zip(pad, self.hash).map { $0 ^ $1 })
    }

    /// Whether `text` is this token under whatever pad, in constant time.
    func matches(_ text: String?) -> Bool {
        guard let text, text.utf8.count <= Self.maximumSize, let given = Base64.decodeURL(text),
            given.count == 2 * self.hash.count
        else { return false }
        return constantTimeEqual(zip(given, given.dropFirst(self.hash.count)).map { $0 ^ $1 }, self.hash)
    }
}

/// The origin of a form, if the browser tells it.
enum FormOrigin {
    /// Whether nothing says that `request` came from a foreign page.
    ///
    /// `Sec-Fetch-Site` cannot be forged by a page, and decides where it is sent. Our pages send no referrer, for which
    /// browsers write `Origin: null` on their forms (Fetch, "append a request Origin header"); that says nothing, and
    /// the form's token has to do. Any other origin must be the host the request was sent to.
    static func isOurs(_ request: HTTPRequest) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = request.headers["Origin"], origin != "null" else { return true }
        guard let host = request.headers["Host"] else { return false }
        return ["http://\(host)", "https://\(host)"].contains { $0.lowercased() == origin.lowercased() }
    }
}
