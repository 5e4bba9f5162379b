import Clientless
import HTTPServer

/// One request of a person's browser, with what every page needs to know about it.
struct Visit: Sendable {
    let request: HTTPRequest
    let now: Timestamp
    /// The browser's own address, also when a proxy stands in between.
    let address: IPAddress
    let isSecure: Bool
    let browser: BrowserSession
    let language: String

    /// Who is guessing, for limits: an IPv4 address, or the IPv6 network in which one stranger has all the addresses.
    var stranger: String {
        switch self.address.family {
        case .v6: self.address.prefix
        case .v4, .unix: self.address.description
        }
    }
}
