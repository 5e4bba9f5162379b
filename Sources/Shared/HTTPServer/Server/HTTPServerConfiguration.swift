import Cryptography

/// How the server listens and what it puts up with.
package struct HTTPServerConfiguration: Sendable {
    /// A certificate chain and its key, both as PEM text. The key is never described.
    package struct TLS: Sendable, Redacted {
        package let certificatePEM: String
        package let keyPEM: String

        package init(certificatePEM: String, keyPEM: String) {
            self.certificatePEM = certificatePEM
            self.keyPEM = keyPEM
        }

        /// Why the library refuses the two, as far as a look at them tells; it gives no reason itself.
        var likelyFault: String {
            guard self.certificatePEM.contains("CERTIFICATE-----") else {
                return "the certificate's file \(Self.content(of: self.certificatePEM, lacking: "certificate"))"
            }
            guard self.keyPEM.contains("PRIVATE KEY-----") else {
                return "the key's file \(Self.content(of: self.keyPEM, lacking: "private key"))"
            }
            // The headings of RFC 7468 section 11 and of the older RFC 1421.
            guard !self.keyPEM.contains("BEGIN ENCRYPTED"), !self.keyPEM.contains("4,ENCRYPTED") else {
                return "the key needs a passphrase"
            }
            return self.isInWrongOrder
                ? "the certificates are in the wrong order: the server's own comes first, then those that vouch for it"
                : "one of the two is damaged, or they do not belong together"
        }

        private static func content(of text: String, lacking part: String) -> String {
            if text.allSatisfy(\.isWhitespace) { return "is empty" }
            guard let start = text.firstRange(of: "-----BEGIN ")?.upperBound else { return "has no PEM text in it" }
            let label = text[start...].prefix { $0 != "-" && !$0.isNewline }.prefix(40).lowercased()
            return "has a \(label) in it, and no \(part)"
        }
    }

    package var addresses: [HTTPListenerAddress]
    /// Threads that serve each address, 1 to 256; `nil` is the number of processors.
    package var threads: Int?
    /// For the TCP addresses; Unix sockets never use TLS.
    package var tls: TLS?
    /// The longest body that is accepted, in bytes; a longer one is 413.
    package var maximumBodySize = 256 * 1024
    /// Connections served at a time. Close to it, a new one takes the place of the one that has been silent longest; where
    /// all asked within fifteen seconds, others get 503. Held requests count here only under TLS. A connection that was used
    /// twice keeps 32 KiB.
    package var maximumConnections = 4096
    /// Connections served at a time from one address, others are closed; 0 is no limit (behind a proxy all come from
    /// one). An address is a whole IPv4 address or a /64 of IPv6, and never takes more than half of all connections.
    package var maximumConnectionsPerAddress = 256
    /// Requests held at a time, with the answers that their clients have not read yet; past it they get 503. Each needs
    /// a file descriptor, and under TLS a connection.
    package var maximumHeldRequests = 100_000
    /// Requests held at a time from one address; 0 is no limit. Addresses are those of `maximumConnectionsPerAddress`.
    /// As many answers may wait to be read; the connections of others are closed once the answer is written.
    package var maximumHeldRequestsPerAddress = 2000
    /// File descriptors that sockets leave to the rest of the process. If the process may open fewer files than the
    /// configuration needs, fewer connections and held requests are admitted, and a warning says so at start.
    package var reservedDescriptors = 64
    /// How long a request may be held; then it gets 503. Longer than any client means to wait: it is there for replies
    /// that were forgotten.
    package var holdTimeout: Duration = .seconds(120)
    /// A connection that sends and receives nothing for this long is closed; whole seconds, at least one.
    package var idleTimeout: Duration = .seconds(30)
    /// A request that is not complete this long after its first line is closed, however busily it trickles in.
    package var requestTimeout: Duration = .seconds(60)
    /// How often the server looks for requests and answers that take too long, while there is a connection.
    package var watchInterval: Duration = .seconds(1)
    /// Whether requests over Unix sockets tell the process at the other end: ``HTTPRequest/peer``.
    package var identifiesPeers = false
    /// Connections served at a time from one user of the system, as far as peers are identified; others get 503. 0 is
    /// no limit.
    package var maximumConnectionsPerUser = 0
    /// How long stopping waits for requests in flight.
    package var stopTimeout: Duration = .seconds(10)
    package var accessLog = AccessLogRate.off

    package init(addresses: [HTTPListenerAddress]) { self.addresses = addresses }

    /// Bytes that a connection has while it is open. A request's head, what libmicrohttpd makes of it, and the head of the
    /// answer share this memory. 24 KiB of header must fit (rest-v1 3.3), with the records of some seventy fields and an
    /// answer beside it. It is cleared after every request, so it should not be larger than that.
    package static let connectionMemory = 32 * 1024
}

/// Which requests the access log names. Server errors are always named.
package enum AccessLogRate: Hashable, Sendable {
    case off
    /// One request in this many.
    case sampled(Int)
    case all
}
