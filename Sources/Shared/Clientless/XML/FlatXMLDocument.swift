/// A small XML document of one level: a root, and elements with text below it (sdk-services 1). Deeper elements are
/// skipped; of two with one name the last counts.
package struct FlatXMLDocument: Hashable, Sendable {
    /// More than two token documents, escaped (rest-v1 22).
    package static let maximumLength = 512 << 10

    package let root: String
    package let values: [String: String]

    /// - Returns: `nil` if it is too long or not well formed.
    package init?(_ text: String) {
        do throws(XMLError) {
            var reader = try XMLReader(text, size: Self.maximumLength, depth: 8)
            guard case .start(let root) = try reader.next() else { return nil }
            var values: [String: String] = [:]
            var path: [String] = []
            var text = ""
            while let event = try reader.next() {
                switch event {
                case .start(let name):
                    path.append(name)
                    text = ""
                case .text(let more): if path.count == 1 { text += more }
                case .end:
                    // The last end is the root's.
                    guard let name = path.popLast(), path.isEmpty else { continue }
                    values[name] = text
                }
            }
            self.root = root
            self.values = values
        } catch {
            return nil
        }
    }
}
