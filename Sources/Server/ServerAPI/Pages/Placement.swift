import TextCoding

/// The place of a value in the markup, which decides how it has to be written.
enum Placement: Hashable, Sendable {
    /// Between tags.
    case text
    /// In `<title>`, where tags mean nothing.
    case title
    case attribute
    /// The start of an attribute that holds an address.
    case address(isImage: Bool)
    /// Behind the start of an address.
    case addressPart
}

extension Placement {
    /// Appends `text` as it has to be written here.
    func write(_ text: String, into output: inout [UInt8]) {
        switch self {
        case .text, .title, .attribute: HTML.escape(text, into: &output)
        case .address(let isImage): HTML.escape(Self.checkedAddress(text, isImage: isImage), into: &output)
        case .addressPart: PercentCoding.appendEncoded(text, to: &output)
        }
    }

    /// An address a browser may follow: relative, http, https, and for pictures `data:image/`. Any other one, such as
    /// `javascript:`, becomes an address that leads nowhere.
    static func checkedAddress(_ address: String, isImage: Bool) -> String {
        let refused = "about:invalid"
        // Browsers skip control characters and blanks before they look for the scheme.
        guard address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return refused }
        guard let end = address.utf8.firstIndex(where: { [0x3A, 0x2F, 0x3F, 0x23].contains($0) }),
            address.utf8[end] == UInt8(ascii: ":")
        else { return address }
        switch address[..<end].lowercased() {
        case "http", "https": return address
        case "data" where isImage && address.lowercased().hasPrefix("data:image/"): return address
        default: return refused
        }
    }
}
