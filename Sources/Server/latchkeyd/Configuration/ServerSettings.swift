import JSON5
package import HTTPServer

/// How browsers and boxes reach the server, and what it puts up with.
package struct ServerSettings: Sendable {
    /// Scheme, host and port that people and boxes use; without a final slash.
    package let publicURL: String
    package let addresses: [HTTPListenerAddress]
    /// PEM files; both or neither.
    package let certificateFile: String?
    package let certificateKeyFile: String?
    /// Reverse proxies whose `X-Forwarded-For` counts.
    package let trustedProxies: [IPNetwork]
    package let threads: Int?
    package let maximumBodySize: Int
    package let maximumConnections: Int
    package let maximumConnectionsPerAddress: Int
    package let maximumHeldRequestsPerAddress: Int
    package let idleTimeout: Duration
    package let requestTimeout: Duration
    package let stopTimeout: Duration
    /// One request in so many is named in the log; 0 names only failures.
    package let accessLogEvery: Int

    init?(_ section: SettingsSection) {
        let defaults = HTTPServerConfiguration(addresses: [])
        let publicURL = section.readRequired(
            "publicURL", .origin, example: "https://tv.example",
            "The address people and boxes reach this server by; it is on the QR code, so a phone must be able to open "
                + "it"
        )
        self.addresses = section.readList(
            "listen", of: .listenerAddress, default: [.tcp(host: "127.0.0.1", port: 8080)], atMost: 16,
            "Where to listen: address and port, or unix:/path for a reverse proxy on this machine")
        self.certificateFile = section.readOptional(
            "certificate", .file, example: "tls/chain.pem", "The certificate chain for HTTPS, PEM; needs certificateKey"
        )
        self.certificateKeyFile = section.readOptional(
            "certificateKey", .file, example: "tls/key.pem", "The private key of the certificate, PEM")
        self.trustedProxies = section.readList(
            "trustedProxies", of: .network, default: [], atMost: 64,
            "Reverse proxies whose X-Forwarded-For is believed: addresses, networks, \"unix\" for the Unix socket")
        for (index, network) in self.trustedProxies.enumerated()
        where network.address.family != .unix && network.length < 4 {
            section.fault(
                "trustedProxies",
                "has an entry, number \(index + 1), that is nearly every address: any caller could then say it is another"
            )
        }
        // All callers have the proxies' addresses.
        let isBehindProxies = !self.trustedProxies.isEmpty
        self.threads = section.readOptional(
            "threads", .integer(1...256), example: 4,
            "Threads that serve each address; left out, one for each processor")
        self.maximumBodySize = section.read(
            "maximumBodySize", .integer(4096...16_777_216), default: defaults.maximumBodySize,
            "The longest request body that is read, in bytes")
        self.maximumConnections = section.read(
            "maximumConnections", .integer(16...1_000_000), default: defaults.maximumConnections,
            "Connections served at a time on each address; held requests do not count")
        self.maximumConnectionsPerAddress = section.read(
            "maximumConnectionsPerAddress", .integer(0...1_000_000),
            default: isBehindProxies ? 0 : defaults.maximumConnectionsPerAddress,
            "Connections served at a time from one address; 0 is no limit, the default behind trustedProxies")
        self.maximumHeldRequestsPerAddress = section.read(
            "maximumHeldRequestsPerAddress", .integer(0...1_000_000),
            default: isBehindProxies ? 0 : defaults.maximumHeldRequestsPerAddress,
            "Polls held at a time from one address; 0 is no limit, the default behind trustedProxies")
        self.idleTimeout = section.read(
            "idleTimeout", .duration(.seconds(1) ... .seconds(3600)), default: defaults.idleTimeout,
            "How long a connection may stay silent")
        self.requestTimeout = section.read(
            "requestTimeout", .duration(.seconds(1) ... .seconds(3600)), default: defaults.requestTimeout,
            "How long a request may take to arrive")
        self.stopTimeout = section.read(
            "stopTimeout", .duration(.seconds(1) ... .seconds(600)), default: defaults.stopTimeout,
            "How long stopping waits for requests in flight")
        self.accessLogEvery = section.read(
            "accessLogEvery", .integer(0...1_000_000), default: 0,
            "Name one request in so many in the log; 1 names all, 0 only those that fail here")
        if section.has("listen"), self.addresses.isEmpty { section.fault("listen", "must name at least one address") }
        switch (self.certificateFile, self.certificateKeyFile) {
        case (nil, .some): section.fault("certificate", "is missing, but certificateKey is set")
        case (.some, nil): section.fault("certificateKey", "is missing, but certificate is set")
        case (nil, nil), (.some, .some): break
        }
        guard let publicURL else { return nil }
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }
}

extension SettingKind where Value == IPNetwork {
    static var network: SettingKind {
        SettingKind(
            expects: "an IP address such as \"10.0.0.1\", a network such as \"10.0.0.0/8\", or \"unix\"",
            read: { value in
                guard case .text(let text) = value else { return nil }
                return IPNetwork(text)
            },
            write: { .text($0.description) })
    }
}
