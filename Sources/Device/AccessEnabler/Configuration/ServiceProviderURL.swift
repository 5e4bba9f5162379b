import FoundationEssentials

/// The address of one entitlement server: `https`, or `http` on the box itself (access-enabler D-01).
package struct ServiceProviderURL: Hashable, Sendable, CustomStringConvertible {
    /// Without a slash at its end.
    package let text: String

    /// - Parameter allowsPlainHTTP: also where the way is not the box's own.
    /// - Returns: `nil` for anything that must not be contacted.
    package init?(_ text: String, allowsPlainHTTP: Bool = false) {
        guard text.utf8.count <= 2048, let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { return nil }
        switch url.scheme?.lowercased() {
        case "https": break
        case "http" where allowsPlainHTTP || Self.isLoopback(host): break
        default: return nil
        }
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }

    package var description: String { self.text }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
