import Entitlement

/// The attributes of an assertion as metadata of the viewer (rest-v1 13.4 and 19).
///
/// Issuers qualify names in ways of their own, so what counts is the part after the last `:` or `/`, in any case. Names
/// that are not in rest-v1 19, and names that only the server may give, such as `mvpd`, are dropped.
enum AssertionAttributes {
    /// The most values kept of one list.
    static let maximumValues = 512
    /// The longest value, in bytes.
    static let maximumSize = 1024

    private enum Kind { case text, truth, list, rating }

    private static let known: [String: (key: String, kind: Kind)] = [
        "householdid": ("householdID", .text),
        "primaryoid": ("primaryOID", .text),
        "typeid": ("typeID", .text),
        "is_hoh": ("is_hoh", .truth),
        "hba_status": ("hba_status", .truth),
        "hbastatus": ("hba_status", .truth),
        "allowmirroring": ("allowMirroring", .truth),
        "zip": ("zip", .list),
        "encryptedzip": ("encryptedZip", .text),
        "channelid": ("channelID", .list),
        "maxtvrating": ("VCHIP", .rating),
        "maxmovierating": ("MPAA", .rating),
        "maxratingurl": ("URL", .rating),
        "language": ("language", .text),
        "onnet": ("onNet", .truth),
        "inhome": ("inHome", .truth),
    ]

    static func metadata(from attributes: [XMLElement]) -> [String: MetadataValue] {
        var metadata: [String: MetadataValue] = [:]
        var ratings: [String: String] = [:]
        for attribute in attributes {
            guard let name = attribute[attribute: "Name"], let (key, kind) = Self.known[Self.plain(name)] else {
                continue
            }
            let values = attribute.children(.assertionElement("AttributeValue"))
                .compactMap(\.plainText).filter { (1...Self.maximumSize).contains($0.utf8.count) }
            guard let first = values.first else { continue }
            switch kind {
            case .text: metadata[key] = .text(first)
            case .truth: metadata[key] = .text(Self.truth(first))
            case .list: metadata[key] = .list(Array((Self.list(metadata[key]) + values).prefix(Self.maximumValues)))
            case .rating: ratings[key] = first
            }
        }
        let entries = ["MPAA", "VCHIP", "URL"].compactMap { name in
            ratings[name].map { NamedText(name, $0) }
        }
        if !entries.isEmpty { metadata["maxRating"] = .map(entries) }
        return metadata
    }

    private static func list(_ value: MetadataValue?) -> [String] {
        if case .list(let values) = value { values } else { [] }
    }

    /// `true` and `false` in the one form clients read (rest-v1 19); anything else as it came.
    private static func truth(_ text: String) -> String {
        switch text.lowercased() {
        case "true", "1": "true"
        case "false", "0": "false"
        default: text
        }
    }

    private static func plain(_ name: String) -> String {
        String(name[(name.lastIndex { ":/".contains($0) }.map(name.index(after:)) ?? name.startIndex)...]).lowercased()
    }
}
