import HTTPServer

/// The header fields of every page: only our own files run or load, no site frames it, no cache keeps it.
enum PageHeaders {
    static func fields(language: String, formTargets: FormTargets) -> HTTPHeaders {
        var fields = formTargets == .ours ? self.ownFields : self.fields(formTargets: formTargets)
        fields.add("Content-Language", language)
        return fields
    }

    /// Those of nearly every page.
    private static let ownFields = fields(formTargets: .ours)

    private static func fields(formTargets: FormTargets) -> HTTPHeaders {
        [
            "Content-Type": "text/html; charset=utf-8",
            "Vary": "Accept-Encoding, Accept-Language, Cookie",
            "Content-Security-Policy": ContentPolicy.text(formTargets: formTargets),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cache-Control": "no-store",
        ]
    }

    /// A logo has an address of its content, as an asset has. Pages of programmers and boxes show it, too; opened alone it
    /// is a picture and nothing else.
    static func fields(of picture: Picture) -> HTTPHeaders {
        self.fields(ofFile: picture.contentType, "default-src 'none'; sandbox; frame-ancestors 'none'", "cross-origin")
    }

    static func fields(of asset: AssetCatalogue.Asset) -> HTTPHeaders {
        self.fields(ofFile: asset.contentType, "default-src 'none'; frame-ancestors 'none'", "same-origin")
    }

    /// The content of such a file never changes under its address.
    private static func fields(ofFile type: String, _ policy: String, _ readers: String) -> HTTPHeaders {
        [
            "Content-Type": type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": readers, "Cache-Control": "public, max-age=31536000, immutable",
        ]
    }
}

/// The addresses that the forms of a page may lead to.
enum FormTargets: Hashable, Sendable {
    case ours
    /// To this server, and from there to the origin of an address. Browsers that check `form-action` along the way stop
    /// an answer that redirects to another origin, and a login that a programmer's page began ends at that page.
    case oursAnd(String)
    /// To this server, and to every address with the scheme of this one: providers and programmers' pages redirect on
    /// as they like. No such page takes a password.
    case onward(from: String)

    fileprivate var sources: String {
        switch self {
        case .ours: "'self'"
        case .oursAnd(let address): "'self' \(ContentPolicy.source(of: address) ?? "")"
        case .onward(let address): "'self' \(ContentPolicy.source(of: address)?.prefix { $0 != ":" } ?? "https"):"
        }
    }
}

/// The content security policy of the pages (CSP level 3).
enum ContentPolicy {
    static func text(formTargets: FormTargets) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "form-action \(formTargets.sources); frame-ancestors 'none'; base-uri 'none'"
    }

    /// The source expression for the origin of `address`: `https://tv.example`, or `hcplayer:` for an application's own
    /// scheme.
    /// - Returns: `nil` when `address` has no scheme.
    static func source(of address: String) -> String? {
        guard let colon = address.firstIndex(of: ":") else { return nil }
        let scheme = address[..<colon].lowercased()
        guard !scheme.isEmpty, scheme.utf8.allSatisfy(Self.isSchemeByte) else { return nil }
        guard ["http", "https"].contains(scheme), address[colon...].hasPrefix("://") else { return "\(scheme):" }
        let authority = address[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
        // A source expression has no place for user names and bracketed addresses; the scheme alone covers them.
        guard !authority.isEmpty, authority.utf8.allSatisfy({ Self.isSchemeByte($0) || $0 == UInt8(ascii: ":") })
        else { return "\(scheme):" }
        return "\(scheme)://\(authority.lowercased())"
    }

    /// Whether a scheme may have it behind its first letter (RFC 3986 3.1).
    static func isSchemeByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "+-.".utf8.contains(byte) }
}
