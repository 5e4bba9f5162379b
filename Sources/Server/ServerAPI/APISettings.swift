package import Clientless
import Entitlement
package import HTTPServer
package import Places

package struct APISettings: Sendable {
    /// Scheme, host and port people and boxes use, without a final slash.
    package var publicURL: String
    /// The logo that `config` shows for a provider without one; a path is below ``publicURL`` (rest-v1 12).
    package var placeholderLogo = "/assets/logo.svg"
    package var branding = Branding()
    package var requestorBranding: [RequestorID: Branding] = [:]
    /// The logos of providers that this server has; others come while it runs.
    package var logos = LogoShelf()
    /// The places of addresses, from an operator's file; it comes while the server runs.
    package var places = PlaceBook()
    /// The description of the API at `/openapi.json`; `nil` keeps it from callers.
    var description: FileAnswer?
    package var clientLabels: ClientLabels = ("unknown", "html5", "Unknown")
    /// How far a device's clock may be off, either way (rest-v1 7.3).
    package var clockWindow: Duration = .seconds(15 * 60)
    /// Proxies whose `X-Forwarded-For` is believed; `IPAddress.unix` for one on a Unix socket.
    package var trustedProxies: AddressSet = []
    /// Off unless set.
    package var throttle: Throttle.Settings?
    /// Degradation calls one address may make in a minute; `nil` is no limit (rest-v1 25).
    package var degradationCalls: Int?
    /// Lets `authenticate` lead anywhere; for development only (rest-v1 13.1).
    package var allowsAnyRedirect = false
    /// Lets pages read answers only on the registered domains of the requestor they ask for; for strict requestors it is
    /// always so (rest-v1 3.7).
    package var limitsOrigins = false
    /// The addresses besides this machine that may read `/metrics`.
    package var metricsReaders: AddressSet = []
    package var boxes: Boxes = (nil, nil)
    package var proxyWatch: ProxyWatch?

    /// The needs of the boxes' network, where that is more than the public one does: the path on a box of a file with the
    /// only authorities it trusts, and a proxy.
    package typealias Boxes = (certificateAuthority: String?, proxy: String?)

    /// The part of `config` that is the same for all clients (rest-v1 12).
    package typealias ClientLabels = (device: String, clientType: String, os: String)

    package init(publicURL: String) { self.publicURL = publicURL }

    /// The address that a provider sends browsers back to: each provider has its own, so that an answer is not taken
    /// for another's (RFC 9700, 4.4).
    package func callback(of mvpd: MVPDID) -> String { "\(self.publicURL)/sp/login/\(mvpd.text)" }

    /// Whether a browser's or box's own connection is encrypted: to this server, or to whatever stands in front of it
    /// under the public address. Cookies are named and marked by this, so all faces ask here.
    package func isSecure(_ request: HTTPRequest) -> Bool {
        request.isSecure || self.publicURL.hasPrefix("https://")
    }

    /// The page that explains error codes (rest-v1 8.3).
    package var helpURL: String { self.publicURL + ScreenPath.errorCodes }

    /// The logo that lists of providers name as the logo of `mvpd`: this server's own copy; until there is one what the
    /// operator configured, or a placeholder (rest-v1 12).
    func logoURL(of mvpd: MVPD, for requestor: RequestorID) -> String {
        if let picture = self.logos.picture(of: mvpd.id, for: requestor) { return self.publicURL + picture.path }
        if let address = mvpd.logoURL { return address }
        return self.placeholderLogo.hasPrefix("/") ? self.publicURL + self.placeholderLogo : self.placeholderLogo
    }
}

extension APISettings {
    package mutating func showDescription(version: String) {
        let text = APIDescription.text(server: self.publicURL, version: version)
        self.description = FileAnswer(
            Array(text.utf8), headers: ["Content-Type": "application/json", "Cache-Control": APIAnswer.kept])
    }
}
