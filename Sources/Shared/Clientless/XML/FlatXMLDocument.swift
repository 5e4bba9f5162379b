/// A small XML document: a root, and elements with text below it (sdk-services 1).
package struct FlatXMLDocument: Hashable, Sendable {
    /// More than two token documents, escaped (rest-v1 22).
    package static let maximumLength = 512 << 10

    package let root: String
    /// The texts of elements without others inside, by their paths, such as `simpleTokenDeviceID/simpleTokenFingerprint`; of
    /// two with one path the last counts.
    package let values: [String: String]
    package let repeated: String?

    /// - Returns: `nil` if it is too long, too deep or not well formed.
    package init?(_ text: String, maximumLength: Int = Self.maximumLength, depth: Int = 8) {
        do throws(XMLError) {
            var reader = try XMLReader(text, size: maximumLength, depth: depth)
            guard case .start(let root) = try reader.next() else { return nil }
            var values: [String: String] = [:]
            var repeated: String?
            var path: [String] = []
            var (text, hasChildren) = ("", false)
            while let event = try reader.next() {
                switch event {
                case .start(let name):
                    path.append(name)
                    // Each element has its whole path for a key.
                    guard path.reduce(0, { $0 + $1.utf8.count }) <= 1024 else { return nil }
                    (text, hasChildren) = ("", false)
                case .text(let more): text += more
                case .end:
                    // The last end is the root's.
                    guard !path.isEmpty else { continue }
                    let key = path.joined(separator: "/")
                    if !hasChildren, values.updateValue(text, forKey: key) != nil { repeated = key }
                    path.removeLast()
                    hasChildren = true
                }
            }
            (self.root, self.values, self.repeated) = (root, values, repeated)
        } catch {
            return nil
        }
    }
}
