extension HTTPClient {
    /// The settings that all requests of a client share.
    package struct Configuration: Sendable {
        /// How long a connection may take: name lookup, TCP and TLS.
        package var connectTimeout: Duration = .seconds(10)
        /// The way to the servers: `http://`, `https://` or `socks5h://` with host and port; `nil` is no proxy. The
        /// environment variables that other programs obey are not read.
        package var proxy: String?
        /// Hosts that are reached without the proxy, and their subdomains with them.
        package var hostsWithoutProxy: [String] = []
        /// A PEM file with the only issuers of server certificates that are trusted, and more of a proxy's; `nil` for the
        /// authorities of the distribution (the package ca-certificates). There is no way to trust all.
        package var authorityFile: String?
        /// With what the client proves itself to servers that ask for a certificate: files in PEM with it and those that
        /// vouch for it behind it, and with its key. `nil` is nothing.
        package var identity: (certificateFile: String, keyFile: String)?
        /// The `User-Agent` of every request that does not name its own; when empty, the field is left out.
        package var userAgent = ""
        /// How many idle connections are kept, 1 to 64.
        package var keptConnections = 4

        package init() {}
    }
}
