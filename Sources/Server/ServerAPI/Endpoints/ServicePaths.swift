import HTTPServer

/// Reads the paths of the programmable faces (rest-v1 3.2): `.json` or `.xml` is cut off the last segment. Files and
/// pages keep their names.
///
/// Repeated slashes are one on every path, and one trailing slash is gone.
enum ServicePaths {
    private static let slash = UInt8(ascii: "/")

    /// - Parameter names: the first segments of the paths whose suffix says a form.
    static func normaliser(suffixesBelow names: Set<String>) -> PathNormaliser {
        let names = names.map { Array($0.utf8) }
        return PathNormaliser { path in
            var path = path
            if self.hasRepeatedSlash(path) { path = self.collapsed(path)[...] }
            if path.count > 1, path.last == self.slash { path = path.dropLast() }
            guard let suffix = self.suffix(of: path), self.begins(path, withOneOf: names) else {
                return RequestPath(path)
            }
            return RequestPath(path.dropLast(suffix.utf8.count + 1), suffix: suffix)
        }
    }

    private static func begins(_ path: ArraySlice<UInt8>, withOneOf names: [[UInt8]]) -> Bool {
        let first = path.dropFirst().prefix { $0 != self.slash }
        return names.contains { $0.elementsEqual(first) }
    }

    private static func hasRepeatedSlash(_ path: ArraySlice<UInt8>) -> Bool {
        let (ones, others) = (path.span.extracting(droppingLast: 1), path.span.extracting(droppingFirst: 1))
        // A loop that never ends early takes many bytes in one step.
        var gap: UInt8 = 0xFF
        for index in ones.indices { gap = min(gap, (ones[index] ^ self.slash) | (others[index] ^ self.slash)) }
        return gap == 0
    }

    private static func collapsed(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(path.count)
        for byte in path where !(byte == self.slash && result.last == self.slash) { result.append(byte) }
        return result
    }

    /// A segment that is nothing but a suffix (`/.json`) is a name, not a form.
    private static func suffix(of path: ArraySlice<UInt8>) -> String? {
        // Most paths have no suffix, which their last letter tells.
        let suffix: String
        switch path.last {
        case UInt8(ascii: "n"): suffix = "json"
        case UInt8(ascii: "l"): suffix = "xml"
        default: return nil
        }
        let stem = path.dropLast(suffix.utf8.count)
        guard stem.count > 2, stem.last == UInt8(ascii: "."), path[stem.endIndex...].elementsEqual(suffix.utf8)
        else { return nil }
        return stem[stem.endIndex - 2] == self.slash ? nil : suffix
    }
}
