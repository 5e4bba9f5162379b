import FoundationEssentials

/// The vector files that every implementation of the wire can read.
package enum Vectors {
    /// Decodes a file of `Tests/Conformance/Vectors`.
    package static func load<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Conformance/Vectors/\(name).json")
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }
}
