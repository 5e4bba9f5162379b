import CommandLineTool
import HTTPServer

extension SettingKind where Value == HTTPListenerAddress {
    static var listenerAddress: SettingKind {
        .parsed(
            "\"127.0.0.1:8080\", \"[::1]:8080\", \"*:8080\" for every address, or \"unix:/path\" of at most 107 bytes",
            Self.address, \.description)
    }

    /// - Returns: `nil` when it is none of the forms of ``HTTPListenerAddress/description``.
    private static func address(_ text: String) -> HTTPListenerAddress? {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sockaddr_un holds 108 bytes with the final zero.
            return path.hasPrefix("/") && path.utf8.count < 108 ? .unix(path: path) : nil
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), port <= 65535
        else { return nil }
        let host = text[..<colon]
        if host == "*" { return .tcp(host: "", port: port) }
        if host == "localhost" { return .tcp(host: "127.0.0.1", port: port) }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            return inner.contains(":") && IPAddress(inner) != nil ? .tcp(host: String(inner), port: port) : nil
        }
        return !host.contains(":") && IPAddress(host) != nil ? .tcp(host: String(host), port: port) : nil
    }
}
