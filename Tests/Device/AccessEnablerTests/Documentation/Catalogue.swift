import FoundationEssentials
import TestSupport
import Testing

/// The documentation of the library, as it lies beside its sources.
struct Catalogue {
    /// Pages by name, without `.md`.
    let pages: [String: String]
    /// The files of pictures.
    let pictures: Set<String>
    /// The code of the examples.
    let examples: String
    /// Public declarations: the path of each within its module.
    let declarations: [String]
    /// Those of them that are types, at the top level or in the actor.
    let types: [String]

    init() throws {
        let tests = ProjectFolder.file("Tests/Device/AccessEnablerTests/Documentation")
        let folder = ProjectFolder.file("Sources/Device/AccessEnabler/AccessEnabler.docc")
        var pages: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".md") {
            pages[String(file.dropLast(3))] = try Self.text("\(folder)/\(file)")
        }
        self.pages = pages
        self.pictures = Set(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Resources"))
        self.examples = try Self.text("\(tests)/Examples.swift")
        let module = "AccessEnabler/"
        let lines = try Self.text("\(tests)/public-api.txt").split(separator: "\n")
            .filter { $0.hasPrefix(module) && !$0.contains(": is ") }
        let path = { (line: Substring) in String(line.dropFirst(module.count).prefix { $0 != " " }.dropLast()) }
        self.declarations = lines.map(path)
        let kinds = ["actor", "enum", "final class", "indirect enum", "protocol", "struct"]
        self.types = lines.filter { line in kinds.contains { line.contains(": \($0) ") } }.map(path)
            .filter { $0.split(separator: "/").count <= ($0.hasPrefix(module) ? 2 : 1) }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: path), "\(path)"), as: UTF8.self)
    }

    /// The lines of every fenced block of Swift in a page.
    static func swiftBlocks(of page: String) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var block: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                block = []
            } else if line == "```", let complete = block {
                blocks.append(complete)
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// What stands between `opening` and `closing` in a text, each time.
    static func marked(_ opening: String, _ closing: String, in text: String) -> [String] {
        text.split(separator: opening, omittingEmptySubsequences: false).dropFirst()
            .compactMap { piece in piece.firstRange(of: closing).map { String(piece[..<$0.lowerBound]) } }
    }
}
