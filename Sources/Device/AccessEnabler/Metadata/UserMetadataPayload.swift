import FoundationEssentials

/// The server's facts about the viewer (access-enabler 13.3).
struct UserMetadataPayload: Decodable {
    let updated: Double?
    let encrypted: [String]?
    /// One that is `null` counts as absent.
    let data: [String: AccessEnabler.MetadataValue?]

    /// - Returns: `nil` for a text that is not such a document.
    init?(_ text: String) {
        guard let payload = try? JSONDecoder().decode(UserMetadataPayload.self, from: Data(text.utf8))
        else { return nil }
        self = payload
    }

    /// Whether `fresh` tells of no earlier change than `known` (access-enabler 13.5). The time is in whole seconds, and
    /// the answer to a use of a trial tells the new facts with the former time.
    static func isCurrent(_ fresh: String, after known: String?) -> Bool {
        guard let fresh = UserMetadataPayload(fresh) else { return false }
        guard let known = known.flatMap(UserMetadataPayload.init) else { return true }
        return fresh.updated ?? 0 >= known.updated ?? 0
    }
}

extension AccessEnabler.MetadataValue: Decodable {
    /// Reads any JSON but `null`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A flag before a number: JSON's `true` would otherwise be read as 1.
        if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([AccessEnabler.MetadataValue?].self) {
            self = .array(list.compactMap { $0 })
        } else {
            self = .object(try container.decode([String: AccessEnabler.MetadataValue?].self).compactMapValues { $0 })
        }
    }
}
