import CommandLineTool
package import HTTPServer

package struct ServerSettings: Sendable {
    /// Scheme, host and port that people and boxes use; without a final slash.
    package let publicURL: String
    /// PEM files; both or neither.
    package let certificateFile: String?
    package let certificateKeyFile: String?
    package let trustedProxies: [IPNetwork]
    /// The addresses that the server listens on, and its limits; without a certificate.
    package var http: HTTPServerConfiguration

    init?(_ section: SettingsSection) {
        var http = HTTPServerConfiguration(addresses: [])
        let publicURL = section.readRequired(
            "publicURL", .origin, example: "https://tv.example",
            "The address of this server for people and boxes; the QR code has it, so a phone must be able to open it"
        )
        http.addresses = section.readList(
            "listen", of: .listenerAddress, default: [.tcp(host: "127.0.0.1", port: 8080)], atMost: 16,
            "The addresses to listen on: address and port, or unix:/path for a reverse proxy on this machine")
        Self.check(http.addresses, section)
        (self.certificateFile, self.certificateKeyFile) = Self.certificate(section)
        self.trustedProxies = section.readList(
            "trustedProxies", of: .network, default: [], atMost: 64,
            "The reverse proxies whose X-Forwarded-For the server trusts: addresses, networks, \"unix\" for the Unix "
                + "socket")
        Self.check(self.trustedProxies, section)
        // A trusted proxy may serve plain http and call this server by https.
        if self.certificateFile != nil, self.trustedProxies.isEmpty, publicURL?.hasPrefix("http://") == true {
            section.fault("publicURL", "must be an address of https, since certificate is set and no trusted proxy")
        }
        // All callers have the proxies' addresses.
        Self.readLimits(section, into: &http, isBehindProxies: !self.trustedProxies.isEmpty)
        let accessLogEvery = section.read(
            "accessLogEvery", .integer(0...1_000_000), default: 0,
            "Log one in this many requests; 1 logs all, 0 only those that fail in this server")
        http.accessLog =
            switch accessLogEvery {
            case 0: .off
            case 1: .all
            default: .sampled(accessLogEvery)
            }
        self.http = http
        if section.has("listen"), http.addresses.isEmpty { section.fault("listen", "must name at least one address") }
        guard let publicURL else { return nil }
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }
    private static func certificate(_ section: SettingsSection) -> (chain: String?, key: String?) {
        let chain = section.readOptional(
            "certificate", .file, example: "tls/chain.pem", "The certificate chain for HTTPS, PEM; needs certificateKey"
        )
        let key = section.readOptional(
            "certificateKey", .file, example: "tls/key.pem", "The private key of the certificate, PEM")
        if chain == nil, key != nil { section.fault("certificate", "is missing, but certificateKey is set") }
        if chain != nil, key == nil { section.fault("certificateKey", "is missing, but certificate is set") }
        return (chain, key)
    }

    private static func check(_ addresses: [HTTPListenerAddress], _ section: SettingsSection) {
        for address in addresses {
            guard let other = addresses.first(where: address.covers) else { continue }
            section.fault("listen", "names \(address), which covers \(other); leave one of them out")
        }
    }

    private static func check(_ proxies: [IPNetwork], _ section: SettingsSection) {
        for (index, network) in proxies.enumerated()
        where network.address.family != .unix && network.length < 4 {
            section.fault(
                "trustedProxies",
                "has an entry, number \(index + 1), that is nearly every address: any caller could then say it is another"
            )
        }
    }

    private static func readLimits(
        _ section: SettingsSection, into http: inout HTTPServerConfiguration, isBehindProxies: Bool
    ) {
        http.threads = section.readOptional(
            "threads", .integer(1...256), example: 4,
            "Threads that serve each address; left out, one for each processor")
        http.maximumBodySize = section.read(
            "maximumBodySize", .integer(4096...16_777_216), default: http.maximumBodySize,
            "The longest request body that is read, in bytes")
        http.maximumConnections = section.read(
            "maximumConnections", .integer(16...1_000_000), default: http.maximumConnections,
            "Connections served at a time on all addresses together; held polls count only with server.certificate")
        http.maximumConnectionsPerAddress = section.read(
            "maximumConnectionsPerAddress", .integer(0...1_000_000),
            default: isBehindProxies ? 0 : http.maximumConnectionsPerAddress,
            "Connections served at a time from one address, at most half of all; 0 is no limit, the default behind "
                + "trustedProxies")
        http.maximumHeldRequestsPerAddress = section.read(
            "maximumHeldRequestsPerAddress", .integer(0...1_000_000),
            default: isBehindProxies ? 0 : http.maximumHeldRequestsPerAddress,
            "Polls held at a time from one address, at most half of all; 0 is no limit, the default behind "
                + "trustedProxies; with server.certificate at most maximumConnectionsPerAddress")
        http.idleTimeout = section.read(
            "idleTimeout", .duration(.seconds(1) ... .seconds(3600)), default: http.idleTimeout,
            "How long a connection may stay silent")
        http.requestTimeout = section.read(
            "requestTimeout", .duration(.seconds(1) ... .seconds(3600)), default: http.requestTimeout,
            "How long a request may take to arrive")
        http.stopTimeout = section.read(
            "stopTimeout", .duration(.seconds(1) ... .seconds(600)), default: http.stopTimeout,
            "How long stopping waits for requests in flight")
    }
}

extension SettingKind where Value == IPNetwork {
    static var network: SettingKind {
        .parsed(
            "an IP address such as \"10.0.0.1\", a network such as \"10.0.0.0/8\", or \"unix\"",
            { IPNetwork($0) }, \.description)
    }
}
