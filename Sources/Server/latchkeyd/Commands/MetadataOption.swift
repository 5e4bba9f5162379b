import CommandLineTool
import Entitlement

/// The operator's facts about a viewer of a local provider, as `KEY=VALUE` (rest-v1 19).
enum MetadataOption {
    /// Bytes of one value: encrypted for a key of 2048 bits, no more fits (rest-v1 19).
    private static let maximumValue = 245
    private static let maximumEntries = 32

    private static let texts = [
        "householdID", "primaryOID", "typeID", "is_hoh", "hba_status", "allowMirroring", "encryptedZip", "language",
        "onNet", "inHome",
    ]
    /// Given again for each further value.
    private static let lists = ["zip", "channelID"]
    /// Given by member, such as `maxRating.MPAA`.
    private static let maps = ["maxRating": ["MPAA", "VCHIP", "URL"]]

    static let option = CommandOption.value(
        "metadata", "KEY=VALUE",
        "A fact that requestors get about the viewer, such as householdID=H-1; may be "
            + "repeated",
        isRepeatable: true)

    static var keys: String {
        let members = self.maps.sorted { $0.key < $1.key }.flatMap { map in map.value.map { "\(map.key).\($0)" } }
        return (self.texts + self.lists + members).joined(separator: ", ")
    }

    static func read(_ arguments: ParsedArguments) throws -> [String: MetadataValue] {
        let given = arguments.values("metadata")
        guard given.count <= Self.maximumEntries else {
            throw arguments.fault("--metadata may be given \(Self.maximumEntries) times at most.")
        }
        var metadata: [String: MetadataValue] = [:]
        for text in given {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isValue(parts[1]) else {
                throw arguments.fault(
                    "--metadata takes KEY=VALUE, a value of 1 to \(Self.maximumValue) bytes without control characters."
                )
            }
            guard Self.add(String(parts[1]), to: String(parts[0]), in: &metadata) else {
                let hint = Self.keys.split(separator: ", ").map(String.init)
                let nearest = nearestName(to: String(parts[0]), among: hint).map { " Did you mean '\($0)'?" } ?? ""
                guard Self.isLimit(String(parts[1]), of: String(parts[0])) else {
                    throw arguments.fault("\(parts[0]) takes a rating such as PG-13 of MPAA or TV-14 of VCHIP.")
                }
                throw arguments.fault(
                    "'\(terminalSafe(String(parts[0]), limit: 80))' cannot be set, or is set twice; there are "
                        + "\(Self.keys).\(nearest)")
            }
        }
        return metadata
    }

    static func text(of metadata: [String: MetadataValue]) -> String {
        metadata.sorted { $0.key < $1.key }.flatMap { key, value in
            switch value {
            case .text(let text): ["\(key)=\(text)"]
            case .list(let texts): texts.map { "\(key)=\($0)" }
            case .map(let entries): entries.map { "\(key).\($0.name)=\($0.value)" }
            }
        }.map { terminalSafe($0, limit: 80) }.joined(separator: ", ")
    }

    private static func add(_ value: String, to key: String, in metadata: inout [String: MetadataValue]) -> Bool {
        if self.texts.contains(key) {
            guard metadata[key] == nil else { return false }
            metadata[key] = .text(value)
            return true
        }
        if self.lists.contains(key) {
            guard case .list(let before)? = metadata[key] ?? .list([]), !before.contains(value) else { return false }
            metadata[key] = .list(before + [value])
            return true
        }
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, self.maps[parts[0]]?.contains(parts[1]) == true, self.isLimit(value, of: key),
            case .map(let before)? = metadata[parts[0]] ?? .map([]), !before.contains(where: { $0.name == parts[1] })
        else { return false }
        metadata[parts[0]] = .map(before + [NamedText(parts[1], value)])
        return true
    }

    /// Whether parental controls can keep a limit; one that they cannot read would limit nothing.
    private static func isLimit(_ value: String, of key: String) -> Bool {
        guard ["maxRating.MPAA", "maxRating.VCHIP"].contains(key) else { return true }
        return Decision.permitted(within: [NamedText(String(key.dropFirst(10)), value)], until: nil) != nil
    }

    private static func isValue(_ text: Substring) -> Bool {
        (1...self.maximumValue).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
