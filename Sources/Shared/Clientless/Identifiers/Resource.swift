import TextCoding

/// A resource identifier after decoding: a channel name or an MRSS fragment (rest-v1 23).
///
/// Two resources are the same when they have the same bytes without outer white space; there is no XML canonicalisation.
package struct Resource: Hashable, Sendable, CustomStringConvertible {
    /// The longest accepted resource, in bytes of UTF-8, outer white space included.
    package static let maximumLength = 8192

    private let exact: ExactText
    /// The resource as it came, outer white space included: clients compare answers and tokens with what they sent
    /// (rest-v1 15.1).
    package let received: String

    /// The identity: without outer white space.
    package var text: String { self.exact.text }

    /// - Returns: `nil` when nothing is left after trimming, or more than ``maximumLength`` bytes came.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, let exact = Self.trimmed(text) else { return nil }
        self.exact = ExactText(exact)
        self.received = text
    }

    /// A text without outer white space. - Returns: `nil` when nothing is left.
    private static func trimmed(_ text: String) -> String? {
        let bytes = text.utf8.span
        guard !bytes.isEmpty else { return nil }
        if (0x21..<0x7F).contains(bytes[0]), (0x21..<0x7F).contains(bytes[bytes.count - 1]) { return text }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }

    package static func == (left: Resource, right: Resource) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.exact) }

    /// A resource as a call or an operator wrote it: one that every document can carry, and whose channel title can be
    /// read (rest-v1 23).
    ///
    /// Bytes that are not UTF-8 have become U+FFFD by then; such a resource is refused, or two broken ones would be one.
    /// - Throws: ``WireFault``, which tells what cannot be a resource from a document that cannot be read.
    package init(fromWire text: String) throws(WireFault) {
        let bytes = text.utf8
        guard
            bytes.span.isPrintable
                || XMLText.canCarry(text) && !text.unicodeScalars.contains("\u{FFFD}"), let resource = Resource(text)
        else { throw .unusable }
        guard (try? resource.channelTitle()) != nil else { throw .malformedDocument }
        self = resource
    }

    package enum WireFault: Error, Hashable, Sendable {
        /// Empty, too long, or of characters that no document can carry.
        case unusable
        /// It begins like a document, and cannot be read as one.
        case malformedDocument
    }

    package var description: String { self.text }
}
