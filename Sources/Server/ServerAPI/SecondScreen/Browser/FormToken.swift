import Cryptography

/// Proof that a form came from a page of ours that this browser was shown: a keyed hash of the browser's session and
/// the form's purpose. A foreign page can make a browser send a form, but it knows neither.
struct FormToken: Sendable {
    /// What a form does; the token of one form opens no other.
    enum Purpose: String, Sendable {
        case code, provider, decline, signIn, confirm
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
