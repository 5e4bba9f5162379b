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

    /// The browser's network, as limits on guessing count it; the domain adds the browser itself.
    var guesser: Guesser { Guesser(self.address.network) }
}
