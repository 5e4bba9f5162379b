import Clientless

/// The resources of one preauthorization: plain identifiers between commas (rest-v1 17).
enum ResourceList {
    /// Reads a list: trimmed, without empties and repetitions, in its order.
    /// - Parameter limit: reading stops one past it, which is enough to see that there are too many.
    /// - Throws: a missing `resource` when nothing is left; a malformed one for what cannot be an identifier, documents
    ///   among them: commas would tear them apart.
    static func read(_ text: String, limit: Int) throws(WireError) -> [Resource] {
        var list: [Resource] = []
        var seen: Set<String> = []
        let bytes = text.utf8.span
        seen.reserveCapacity(min(limit + 1, bytes.count / 2 + 1))
        var end = -1
        while end < bytes.count {
            let start = end + 1
            repeat { end += 1 } while end < bytes.count && bytes[end] != UInt8(ascii: ",")
            // White space around a comma is the list's, not the resource's.
            let item = String(Substring(text.utf8.dropFirst(start).prefix(end - start)).trimmed)
            // Texts that are canonically equivalent are one to a set, and two resources.
            guard !item.isEmpty,
                seen.insert(item).inserted || !list.contains(where: { $0.received.utf8.elementsEqual(item.utf8) })
            else { continue }
            let resource = try Resource(parameter: "resource", item)
            guard !resource.isMediaRSS else { throw .malformedResource }
            list.append(resource)
            if list.count > limit { break }
        }
        guard !list.isEmpty else { throw .missing("resource") }
        return list
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        if let first = self.utf8.first, let last = self.utf8.last, (0x21..<0x7F).contains(first),
            (0x21..<0x7F).contains(last)
        {
            return self
        }
        var rest = self.unicodeScalars.drop(while: Self.isSpace)
        while rest.last.map(Self.isSpace) == true { rest.removeLast() }
        return Substring(rest)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
}
