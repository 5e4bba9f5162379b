/// A JSON object of a few texts, numbers and flags, as clients send one in place of a form (rest-v1 3.3) or
/// in a header (rest-v1 5).
package struct FlatJSONObject {
    /// The most members of the object itself.
    package static let maximumMembers = 64
    /// The most values in all, those inside of members too.
    static let maximumValues = 256

    /// In their order.
    package let members: [JSONValue.Member]

    /// - Returns: `nil` if it is no JSON object (RFC 8259), or too large.
    package init?(_ bytes: [UInt8]) {
        let value = JSONValue(reading: bytes, count: Self.maximumValues + 1, isStrict: false)
        guard case .object(let members) = value, members.count <= Self.maximumMembers else { return nil }
        self.members = members
    }

    /// Whether a name occurs more than once. Readers of JSON keep one of the two and do not say which.
    package var hasRepeatedName: Bool {
        var seen: Set<[UInt8]> = []
        return self.members.contains { !seen.insert(Array($0.name.utf8)).inserted }
    }

    /// The value of the last member of this name that is a text.
    package func text(_ name: String) -> String? {
        for member in self.members.reversed() where member.name.utf8.elementsEqual(name.utf8) {
            return member.value.string
        }
        return nil
    }
}
