import FoundationEssentials

// Settings that name places on the web.

extension SettingKind where Value == String {
    /// The scheme, host and port of a URL and nothing after them.
    package static var origin: SettingKind {
        .text("an http or https address in ASCII (xn-- for umlauts), without a path, such as \"https://tv.example\"") {
            text in
            guard let parts = Self.webAddress(text) else { return false }
            return (parts.path.isEmpty || parts.path == "/") && parts.query == nil && parts.fragment == nil
        }
    }

    package static var webPage: SettingKind {
        .text("an http or https address, such as \"https://tv.example/activate\"") { text in
            Self.webAddress(text).map { $0.fragment == nil } ?? false
        }
    }

    /// A way on which a box reaches a server, without a password: boxes have a file of their own for that.
    package static var proxy: SettingKind {
        .text("an address that begins with http://, https:// or socks5h://") { text in
            guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
                let parts = URLComponents(string: text), let scheme = parts.scheme,
                ["http", "https", "socks5h"].contains(scheme), parts.host?.isEmpty == false, parts.user == nil,
                parts.password == nil
            else { return false }
            return true
        }
    }

    /// A domain that `domain_name` and `redirect_url` may name (rest-v1 13.1).
    package static var domain: SettingKind {
        .text("a domain in lower case, such as \"north-sport.example\", without scheme or port") { text in
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            return text.utf8.count <= 253
                && labels.allSatisfy { label in
                    (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                        && label.utf8.allSatisfy(Self.isDomainByte)
                }
        }
    }

    /// A redirect scheme of an application (RFC 3986 section 3.1). Those that a browser runs or opens itself would turn
    /// a redirect into an attack.
    package static var redirectScheme: SettingKind {
        let taken: Set<String> = [
            "http", "https", "javascript", "vbscript", "data", "file", "blob", "about", "ws", "wss",
        ]
        return .text("an application's own scheme in lower case, such as \"hcplayer\", without \"://\"") { text in
            guard (2...64).contains(text.utf8.count), !taken.contains(text), let first = text.utf8.first,
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
            else { return false }
            return text.utf8.allSatisfy { Self.isDomainByte($0) || "+.".utf8.contains($0) }
        }
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains(byte)
    }

    private static func webAddress(_ text: String) -> URLComponents? {
        guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text), parts.scheme == "http" || parts.scheme == "https",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil
        else { return nil }
        return parts
    }
}
