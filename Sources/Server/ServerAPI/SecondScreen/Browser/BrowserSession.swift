import Clientless
import Cryptography
package import Entitlement
package import HTTPServer

/// The secret by which one browser is known again: 32 random bytes in a cookie, and nothing on the server.
///
/// A login belongs to the browser session that began it. An address with a login's token in it, copied or leaked, opens
/// nothing in another browser (rest-v1 3.8).
package struct BrowserSession: Sendable {
    private static let size = 32
    /// A login takes minutes, and the specification allows a short-lived cookie only (rest-v1 3.8): a day from the last one.
    private static let cookie = PageCookie("latchkey", lifetime: 24 * 3600)

    package let identity: Browser
    /// The browser has not been given it yet; the answer must carry ``cookie(isSecure:)``.
    package let isNew: Bool
    private let cookie: PageCookie

    /// The session of the browser that sent `request`, or a new one.
    /// - Parameter isSecure: whether the browser's own connection is encrypted, perhaps to a proxy in front.
    package static func of(_ request: HTTPRequest, isSecure: Bool) -> BrowserSession {
        self.of(request, in: self.cookie, isSecure: isSecure)
    }

    /// The same of pages with another cookie.
    static func of(_ request: HTTPRequest, in cookie: PageCookie, isSecure: Bool) -> BrowserSession {
        let text = cookie.value(in: request, isSecure: isSecure)
        let bytes = text.flatMap { $0.utf8.count <= 64 ? Base64.decodeURL($0) : nil }
        return BrowserSession(bytes?.count == Self.size ? bytes : nil, in: cookie)
    }

    /// - Parameter known: the secret that the browser has; `nil` makes a new one.
    init(_ known: [UInt8]? = nil, in cookie: PageCookie) {
        self.identity = Browser(Secret(known ?? SecureRandom.bytes(Self.size)))
        self.isNew = known == nil
        self.cookie = cookie
    }

    /// The value of `Set-Cookie` after which nothing that the browser did is its own any more.
    static func forgetting(isSecure: Bool) -> String { self.cookie.forgetting(isSecure: isSecure) }

    /// The value of `Set-Cookie`.
    package func cookie(isSecure: Bool) -> String {
        self.cookie.setting(self.identity.secret.withBytes { Base64.encodeURL($0) }, isSecure: isSecure)
    }
}

/// One request of a person's browser, with what every page needs to know about it.
struct Visit: Sendable {
    let request: HTTPRequest
    /// The fields of the page's address and of its form, as far as its endpoint declares them.
    let query: CallParameters
    let form: CallParameters
    let now: Timestamp
    /// The browser's own address, also when a proxy stands in between.
    let address: IPAddress
    let isSecure: Bool
    let browser: BrowserSession
    let language: String
    /// Whether a browser without a session is given one. A form of another site comes without the cookie that the browser
    /// has, and must not lose it.
    var mayGiveCookie = true

    /// The browser's network, as limits on guessing count it; the domain adds the browser itself.
    var guesser: Guesser { Guesser(self.address.network) }
}

enum ScreenAnswer: Sendable {
    /// - Parameters:
    ///   - retryAfter: for how long trying again is pointless.
    ///   - formTargets: where forms of the page may lead.
    ///   - goingOnAt: where the browser goes by itself, at once.
    ///   - login: the login the page is of, for the browser to remember.
    case page(
        Page, status: HTTPStatus = .ok, retryAfter: Duration? = nil, formTargets: FormTargets = .ours,
        goingOnAt: String? = nil, login: String? = nil)
    /// To another page of this server; always by GET, so that going back or reloading sends no form again.
    case go(String)
    /// To another page, and the browser keeps cookies, or forgets some.
    case keep([String], at: String)
    /// To another site: the page that began the login, its address unchanged (rest-v1 13.4), or a provider's own.
    case leave(String)
    /// Short texts for a script of ours, one in a line.
    case lines([String])
}

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
