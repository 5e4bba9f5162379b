import HTTPServer

/// How a page of a site that the operator does not know made a browser send a request (rest-v1 24.4).
///
/// The browser says so itself, and no page can make it say otherwise (W3C Fetch Metadata). Boxes, programs and browsers
/// before 2023 say nothing, and neither does an address that the viewer typed or scanned.
enum CrossSiteRequest: Hashable, Sendable {
    /// A script, a picture or a frame: the viewer sees nothing of it, and an advertisement can send any number.
    case embedded
    /// The viewer's window goes to the address.
    case navigation

    /// - Parameter origins: know the registered domains. Their pages send viewers to log in, and read codes
    ///   (rest-v1 11.2, 13.1).
    /// - Returns: `nil` for every request that counts as the viewer's own.
    init?(_ request: HTTPRequest, _ origins: @autoclosure () -> OriginPolicy) {
        guard request.headers.has("Sec-Fetch-Site", "cross-site"), !Self.isVouchedFor(request, origins()) else {
            return nil
        }
        let isWindow =
            request.headers.has("Sec-Fetch-Mode", "navigate")
            && (request.headers["Sec-Fetch-Dest"].map { $0 == "document" } ?? true)
        self = isWindow ? .navigation : .embedded
    }

    /// Whether a page of a registered domain sent it. A form without a referrer has the origin `null`.
    private static func isVouchedFor(_ request: HTTPRequest, _ origins: OriginPolicy) -> Bool {
        let origin = request.headers["Origin"].flatMap { $0 == "null" ? nil : $0 }
        return (origin ?? request.headers["Referer"]).map { origins.isRegistered($0) } ?? false
    }
}
