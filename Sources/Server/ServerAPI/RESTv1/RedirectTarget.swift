import Entitlement

/// An address that a browser may be sent to after a login (rest-v1 13.1): only one that the operator allowed.
enum RedirectTarget {
    /// The longest URL, in bytes.
    static let maximumLength = 4096

    /// Schemes that run code or open files in the browser; no registration makes them a redirect.
    private static let forbiddenSchemes: Set<String> = ["javascript", "data", "vbscript", "file", "blob", "about"]

    /// Whether `url` leads to a registered domain of `requestor`, or below one, or has a registered scheme.
    static func isAllowed(_ url: String, for requestor: Requestor, allowingAny: Bool) -> Bool {
        guard let (scheme, host) = self.parts(of: url), !self.forbiddenSchemes.contains(scheme) else { return false }
        if allowingAny { return true }
        guard scheme == "http" || scheme == "https" else {
            return requestor.redirectSchemes.contains { $0.lowercased() == scheme }
        }
        return host.map { self.isBelow($0, requestor.domains) } ?? false
    }

    /// Whether `domain` is one of the registered ones. Deployed clients send the vendor's own, whatever the brand; it is
    /// never where a redirect may lead.
    static func isRegistered(_ domain: String, for requestor: Requestor) -> Bool {
        if requestor.strictness == .compatible, domain.lowercased() == "adobe.com" { return true }
        return requestor.domains.contains { $0.lowercased() == domain.lowercased() }
    }

    static func isBelow(_ host: String, _ domains: [String]) -> Bool {
        domains.contains { domain in
            let domain = domain.lowercased()
            return host == domain || host.hasSuffix("." + domain)
        }
    }

    /// Scheme and, for the web, host, in lower case.
    /// - Returns: `nil` for what browsers and servers might read differently: control characters, spaces, backslashes,
    ///   user names, hosts beyond ASCII.
    static func parts(of url: String) -> (scheme: String, host: String?)? {
        let bytes = url.utf8
        guard (1...self.maximumLength).contains(bytes.count),
            bytes.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\\") }),
            !url.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            let colon = url.firstIndex(of: ":")
        else { return nil }
        let scheme = url[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy(ContentPolicy.isSchemeByte)
        else { return nil }
        let rest = url[url.index(after: colon)...]
        guard scheme == "http" || scheme == "https" else { return (scheme, nil) }
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return self.host(of: authority).map { (scheme, $0) }
    }

    private static func host(of authority: Substring) -> String? {
        guard !authority.contains("@") else { return nil }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, host.utf8.allSatisfy(self.isHostByte),
            host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else { return nil }
        if parts.count == 2 {
            guard parts[1].utf8.count <= 5, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                parts[1].isEmpty || UInt16(parts[1]) != nil
            else { return nil }
        }
        return host.lowercased()
    }

    private static func isHostByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-.".utf8.contains(byte) }
}
