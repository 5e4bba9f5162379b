import HTTPClient

/// Walks the redirects of a navigation that needs no viewer, such as a logout, and stops before the completion URL is
/// requested (access-enabler 8.5). It has cookies of its own, which end with it.
public struct RedirectFollower: Sendable {
    /// How a walk ended.
    public enum End: Sendable, Hashable {
        /// The completion URL came up; tell it to ``AccessEnabler/handleExternalURL(_:)``.
        case completed(url: String)
        /// A page that leads nowhere, or too many redirects.
        case stopped
        /// No answer.
        case failed
    }

    private static let limit = 20

    /// A follower without cookies.
    public init() {}

    /// Follows redirects from the request's URL.
    public func follow(_ request: NavigationRequest) async -> End {
        let client = HTTPClient()
        let end = await self.walk(from: request.url, until: request.completionURLPrefix, client)
        await client.shutDown()
        return end
    }

    private func walk(from start: String, until prefix: String, _ client: HTTPClient) async -> End {
        let jar = CookieJar()
        var url = start
        for _ in 0..<Self.limit {
            var request = HTTPClient.Request(.get, url)
            request.cookieJar = jar
            guard let response = try? await client.send(request) else { return .failed }
            guard (300..<400).contains(response.status), let location = response.headers["location"] else {
                return .stopped
            }
            if location.lowercased().hasPrefix(prefix.lowercased()) { return .completed(url: location) }
            guard let next = Self.absolute(location, from: url) else { return .stopped }
            url = next
        }
        return .stopped
    }

    /// Only addresses of the web are walked to.
    private static func absolute(_ location: String, from base: String) -> String? {
        if location.hasPrefix("https://") || location.hasPrefix("http://") { return location }
        guard let scheme = base.firstRange(of: "://") else { return nil }
        let host = base[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if location.hasPrefix("//") { return "\(base[..<scheme.lowerBound]):\(location)" }
        guard location.hasPrefix("/") else { return nil }
        return "\(base[..<scheme.lowerBound])://\(host)\(location)"
    }
}
