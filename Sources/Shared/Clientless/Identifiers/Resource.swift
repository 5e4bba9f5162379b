/// A resource identifier after decoding, outer white space trimmed: a channel name or an MRSS fragment (rest-v1 23).
///
/// Two resources are the same when these strings have the same bytes; there is no XML canonicalisation.
package struct Resource: Hashable, Sendable, CustomStringConvertible {
    /// The longest accepted resource, in bytes of UTF-8.
    package static let maximumLength = 8192

    private let exact: ExactText

    package var text: String { self.exact.text }

    /// - Returns: `nil` when nothing is left after trimming, or more than ``maximumLength`` bytes.
    package init?(_ text: some StringProtocol) {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return nil }
        let trimmed = text[first...last]
        guard trimmed.utf8.count <= Self.maximumLength else { return nil }
        self.exact = ExactText(trimmed)
    }

    package var description: String { self.text }
}
