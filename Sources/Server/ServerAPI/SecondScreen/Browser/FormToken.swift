import Cryptography
import HTTPServer

/// Proof that a form came from a page of ours that this browser was shown: a keyed hash of the browser's session and
/// the form's purpose. A foreign page can make a browser send a form, but it knows neither.
struct FormToken: Sendable {
    /// What a form does; the token of one form opens no other.
    enum Purpose: String, Sendable {
        case code, provider, decline, signIn, confirm, boxes, boxNotice, passkeySignIn, passkey
    }

    /// The hidden field's name.
    static let field = "form_token"

    private let bytes: [UInt8]

    init(_ purpose: Purpose, browser: BrowserSession, key: KeyedHash) {
        // The session has a fixed length, so that no two pairs give the same message.
        self.bytes = browser.secret.withBytes { key.hash(of: $0 + Array(purpose.rawValue.utf8)) }
    }

    var text: String { Base64.encodeURL(self.bytes) }

    /// Whether `text` is this token, in constant time.
    func matches(_ text: String?) -> Bool {
        guard let text, text.utf8.count <= 64, let given = Base64.decodeURL(text) else { return false }
        return constantTimeEqual(given, self.bytes)
    }
}

/// Where a form was sent from, as far as the browser says.
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
