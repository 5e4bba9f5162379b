import FoundationEssentials

/// What a load generator reads: a script, and the lines it goes through.
enum LoadFiles {
    /// - Returns: where the script is.
    static func write(_ script: String, _ name: String, _ lines: [String], in folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "\(folder)/\(name).tsv"))
        try Data(script.utf8).write(to: URL(filePath: "\(folder)/\(name).lua"))
        return "\(folder)/\(name).lua"
    }

    /// The address of a box behind the proxy that the load generator plays.
    static func address(_ number: Int) -> String { "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)" }
}
