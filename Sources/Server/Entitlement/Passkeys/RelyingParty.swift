import Cryptography

/// The identity of this server for browsers and authenticators (WebAuthn level 3, sections 4 and 5.1.3): a passkey is
/// bound to it, and works nowhere else.
package struct RelyingParty: Hashable, Sendable {
    /// The host's name.
    package let id: String
    /// Scheme, host, and the port where it is not the usual one, as browsers write it.
    package let origin: String

    /// - Parameter publicURL: scheme, host and perhaps port of this server.
    /// - Returns: `nil` if browsers offer no passkeys: in clear but to this machine, and under an address that is no
    ///   name (sections 5.1.3 and 13.4.9).
    package init?(publicURL: String) {
        let text = publicURL.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, Self.isName(host) else { return nil }
        let isHere = host == "localhost" || host.hasSuffix(".localhost")
        guard scheme == "https://" || isHere else { return nil }
        self.id = String(host)
        guard parts.count == 2 else {
            self.origin = scheme + host
            return
        }
        guard let port = UInt16(parts[1]), port > 0 else { return nil }
        let isUsual = port == (scheme == "https://" ? 443 : 80)
        self.origin = scheme + host + (isUsual ? "" : ":\(port)")
    }

    /// Whether `host` is a name of letters, digits, hyphens and dots whose last part is no number, as an address's is.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(host.utf8.count), let last = labels.last, !last.utf8.allSatisfy(Self.isDigit)
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-")
                }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The hash that authenticators sign in place of ``id``.
    var idHash: [UInt8] { Digest.sha256(self.id.utf8) }
}
