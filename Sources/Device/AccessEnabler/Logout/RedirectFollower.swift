import HTTPClient
import Lifecycle

extension AccessEnabler {
    /// Walks the redirects of a navigation that needs no viewer, such as a logout, and stops before the completion URL
    /// is requested (access-enabler 8.5). It has cookies of its own, which end with it.
    ///
    /// A server must not lead the box where the box alone can go: from `https` it walks to `https` only, and to
    /// addresses of the own network or machine only where it began on the same host. A name that resolves to one is not
    /// recognised.
    public struct RedirectFollower: Sendable {
        /// How a walk ended. However a logout's did, tell ``AccessEnabler/handleExternalURL(_:)`` the completion URL: a
        /// provider may end at a page of its own, and the logout would wait for its time limit.
        public enum End: Sendable, Hashable {
            /// The completion URL came up.
            case completed(url: String)
            /// A page that leads nowhere or where the box must not go, or too many redirects.
            case stopped
            /// No answer, or none in time.
            case failed
        }

        private static let limit = 20

        private let configuration: HTTPClient.Configuration
        private let serverHost: String?
        private let patience: Duration

        /// A follower without cookies.
        /// - Parameter configuration: the application's, for its proxy and for the authorities that it trusts. Pages of
        ///   other hosts than the server's are a provider's: the authorities of the distribution count for them, too.
        public init(configuration: AccessEnabler.Configuration = .init()) {
            self.configuration = configuration.clientConfiguration
            self.serverHost = configuration.environment?.serviceProvider.flatMap { WebPlace($0.text)?.host }
            // The logout must not end before: the completion URL, told too late, would end a login that began since.
            self.patience = configuration.logoutNavigationTimeout * 9 / 10
        }

        /// Follows redirects from its URL, for less than ``AccessEnabler/Configuration/logoutNavigationTimeout``.
        public func follow(_ request: NavigationRequest) async -> End {
            var others = self.configuration
            others.authorityFile = nil
            let clients = [HTTPClient(self.configuration), HTTPClient(others)]
            let end = try? await withTimeout(self.patience) {
                await self.walk(from: request.url, until: request.completionURLPrefix, clients)
            }
            for client in clients { await client.shutDown() }
            return end ?? .failed
        }

        private func answer(
            to request: HTTPClient.Request, at place: WebPlace, _ clients: [HTTPClient]
        ) async -> HTTPClient.Response? {
            do throws(HTTPClientError) {
                return try await clients[0].send(request)
            } catch {
                guard error.code == .tls, place.host != self.serverHost else { return nil }
                return try? await clients[1].send(request)
            }
        }

        private func walk(from start: String, until prefix: String, _ clients: [HTTPClient]) async -> End {
            let jar = CookieJar()
            guard let first = WebPlace(start) else { return .stopped }
            var place = first
            for _ in 0..<Self.limit {
                var request = HTTPClient.Request(.get, place.url)
                request.cookieJar = jar
                guard let response = await self.answer(to: request, at: place, clients) else { return .failed }
                guard (300..<400).contains(response.status), let location = response.headers["location"] else {
                    return .stopped
                }
                if isCompletion(location, of: prefix) { return .completed(url: location) }
                guard let next = place.following(location), next.mayFollow(place, from: first) else { return .stopped }
                place = next
            }
            return .stopped
        }
    }
}

/// An address of the web, as far as a redirect is judged by it.
struct WebPlace: Sendable {
    let url: String
    let isSecure: Bool
    /// In lower case, without port; an IPv6 address without brackets.
    let host: String
    /// Scheme, host and port, as they are written.
    private let origin: String

    /// - Returns: `nil` for anything else than `http` and `https`, for a user name, and for more than 8 KiB.
    init?(_ url: String) {
        guard url.utf8.count <= 8192, let scheme = ["https", "http"].first(where: { Self.hasScheme(url, $0) })
        else { return nil }
        let start = url.utf8.index(url.startIndex, offsetBy: scheme.utf8.count + 3)
        let end = url.utf8[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? url.endIndex
        let authority = url[start..<end]
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let host: Substring
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
        } else {
            host = authority[..<(authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex)]
        }
        guard !host.isEmpty else { return nil }
        self.url = url
        self.isSecure = scheme == "https"
        self.host = host.lowercased()
        self.origin = String(url[..<end])
    }

    private static func hasScheme(_ url: String, _ scheme: String) -> Bool {
        url.utf8.prefix(scheme.utf8.count + 3).elementsEqual("\(scheme)://".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    func following(_ location: String) -> WebPlace? {
        if location.utf8.starts(with: "//".utf8) { return WebPlace("\(self.isSecure ? "https" : "http"):\(location)") }
        if location.utf8.first == UInt8(ascii: "/") { return WebPlace(self.origin + location) }
        return WebPlace(location)
    }

    /// Whether a walk that began at `first` and is at `last` may go here.
    func mayFollow(_ last: WebPlace, from first: WebPlace) -> Bool {
        (self.isSecure || !last.isSecure) && (!self.isOfOwnNetwork || self.host == first.host)
    }

    /// An address, or a name, of the machine itself or of the network it is in.
    var isOfOwnNetwork: Bool {
        let name = self.host.utf8.last == UInt8(ascii: ".") ? String(self.host.dropLast()) : self.host
        // libcurl decodes percent codes and maps other letters to ASCII: no plain name of the web has either.
        guard name.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else { return true }
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") { return true }
        if name.utf8.contains(UInt8(ascii: ":")) {
            // Addresses of the web are 2000::/3, in four digits; all else is local, or an odd spelling of it.
            let group = name.utf8.prefix { $0 != UInt8(ascii: ":") }
            return group.count != 4 || (group.first != UInt8(ascii: "2") && group.first != UInt8(ascii: "3"))
        }
        // One number, or an odd spelling of an address such as 0x7f.1, is no name of the web.
        guard let last = name.utf8.split(separator: UInt8(ascii: ".")).last,
            last.allSatisfy({ (0x30...0x39).contains($0) })
                || last.starts(with: "0x".utf8)
        else { return false }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { part in part.count <= 3 && part.first != 0x30 || part.count == 1 ? UInt8(Substring(part)) : nil }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil
        else { return true }
        switch (first, second) {
        case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127), (224..., _):
            return true
        default: return false
        }
    }
}
