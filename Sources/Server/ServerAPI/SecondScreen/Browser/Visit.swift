import Clientless
import Entitlement
import HTTPServer

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

/// The answer of a page's handler.
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
