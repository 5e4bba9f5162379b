import Clientless

/// The resources of one preauthorization: plain identifiers between commas (rest-v1 17).
enum ResourceList {
    /// Reads a list: trimmed, without empties and repetitions, in its order.
    /// - Parameter limit: reading stops one past it, which is enough to see that there are too many.
    /// - Throws: a missing `resource` when nothing is left; a malformed one for what cannot be an identifier, documents
    ///   among them: commas would tear them apart.
    static func read(_ text: String, limit: Int) throws(WireError) -> [Resource] {
        var list: [Resource] = []
        var seen: Set<Resource> = []
        let bytes = text.utf8.span
        let most = min(limit + 1, bytes.count / 2 + 1)
        list.reserveCapacity(most)
        seen.reserveCapacity(most)
        var end = -1
        while end < bytes.count, list.count <= limit {
            let start = end + 1
            repeat { end += 1 } while end < bytes.count && bytes[end] != UInt8(ascii: ",")
            // White space around a comma is the list's, not the resource's.
            guard let item = try? String(copying: UTF8Span(validating: bytes.extracting(start..<end))).trimmed
            else { throw .malformedResource }
            guard !item.isEmpty else { continue }
            let resource = try Resource(parameter: "resource", item)
            guard !resource.isMediaRSS else { throw .malformedResource }
            if seen.insert(resource).inserted { list.append(resource) }
        }
        guard !list.isEmpty else { throw .missing("resource") }
        return list
    }
}

extension String {
    fileprivate var trimmed: String {
        let bytes = self.utf8.span
        if !bytes.isEmpty, (0x21..<0x7F).contains(bytes[0]), (0x21..<0x7F).contains(bytes[bytes.count - 1]) {
            return self
        }
        var rest = self.unicodeScalars.drop(while: Self.isSpace)
        while rest.last.map(Self.isSpace) == true { rest.removeLast() }
        return String(rest)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
}
