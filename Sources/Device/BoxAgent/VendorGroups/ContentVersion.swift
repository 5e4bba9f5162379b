import Cryptography

/// Tells one content of a vendor group's store from another: a digest of it.
///
/// So it says the same before and after a restart, and needs no file of its own.
struct ContentVersion: Hashable, Sendable {
    let text: String

    /// The version of a content; `nil` is the content of a store in which nothing was ever kept.
    init(of content: [UInt8]?) {
        self.text = content.map { Hex.encode(Digest.sha256($0).prefix(16)) } ?? "0"
    }

    /// As an entity tag (RFC 9110 8.8.3).
    var tag: String { "\"\(self.text)\"" }

    /// The version that a header field names: one strong tag of ours, and no list.
    /// - Returns: `nil` for a field that names no version of ours.
    init?(tag: String) {
        let bytes = tag.utf8
        guard (3...34).contains(bytes.count), bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"")
        else { return nil }
        let text = tag.dropFirst().dropLast()
        guard text == "0" || (text.utf8.count == 32 && text.utf8.allSatisfy { Hex.value(of: $0) != nil })
        else { return nil }
        self.text = text.lowercased()
    }
}
