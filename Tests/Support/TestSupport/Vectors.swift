import FoundationEssentials

/// The vector files that every implementation of the wire can read.
package enum Vectors {
    /// Decodes a file of `Tests/Conformance/Vectors`.
    package static func load<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: self.path("\(name).json"))))
    }

    /// The path of a file of `Tests/Conformance/Vectors`.
    package static func path(_ name: String) -> String { ProjectFolder.file("Tests/Conformance/Vectors/\(name)") }
}
