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
        for part in text.split(separator: ",") where !part.allSatisfy(\.isWhitespace) {
            // White space around a comma is the list's, not the resource's.
            let resource = try Resource(parameter: "resource", part.trimmed)
            guard !resource.isMediaRSS else { throw .malformedResource }
            guard seen.insert(resource).inserted else { continue }
            list.append(resource)
            if list.count > limit { break }
        }
        guard !list.isEmpty else { throw .missing("resource") }
        return list
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = self.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
