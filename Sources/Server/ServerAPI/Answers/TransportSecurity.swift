import HTTPServer

/// Tells browsers to come by https alone, where the public address is https (RFC 6797).
///
/// Every answer says so: a browser may see a page of ours first, or an answer that a programmer's page asked for.
struct TransportSecurity: Sendable {
    private static let name = "Strict-Transport-Security"
    /// A year.
    private static let value = "max-age=31536000"

    private let isHTTPS: Bool

    init(_ settings: APISettings) {
        self.isHTTPS = settings.publicURL.hasPrefix("https://")
    }

    /// Adds the field, once. A prepared answer has it already, and so stays one.
    func add(to response: inout HTTPResponse) {
        guard self.isHTTPS, !response.isPrepared, !response.headers.contains(Self.name) else { return }
        response.headers.add(Self.name, Self.value)
    }

    /// The answer with the field, to be prepared.
    func added(to response: HTTPResponse) -> HTTPResponse {
        var copy = response
        self.add(to: &copy)
        return copy
    }
}
