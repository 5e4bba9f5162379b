import FoundationEssentials
import RealPrograms
import TestSupport

/// The blocks of code of a document for people, as `deploy/check/blocks` takes them out.
struct PrintedBlocks {
    /// In the order of the text, such as `the-server.sh`.
    let names: [String]
    private let folder: TemporaryFolder

    static func of(_ document: String) async throws -> PrintedBlocks {
        let folder = try TemporaryFolder()
        let (end, output, talk) = try await ChildProcess(
            ProjectFolder.file("deploy/check/blocks"), [ProjectFolder.file(document), folder.path]
        ).run()
        guard end == .exited(0) else { throw GaveUp(description: "deploy/check/blocks ended with \(end): \(talk)") }
        return PrintedBlocks(names: output.split(separator: "\n").map(String.init), folder: folder)
    }

    func file(_ name: String) -> String { self.folder.file(name) }

    func text(_ name: String) throws -> String { try self.folder.read(name) }
}

/// Commands of ours that a document names: in the middle of a sentence, in a table, or in a block for a shell.
struct PrintedCommand: Hashable {
    /// Such as `latchkeyd keys issue`; operands in small letters may follow, which `--help` does not mind.
    let words: [String]
    /// Such as `--requestor`.
    let options: Set<String>

    static func all(in document: String) throws -> Set<PrintedCommand> {
        let file = URL(filePath: ProjectFolder.file(document))
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        var language: String?
        var part = ""
        var found: Set<PrintedCommand> = []
        // A line more ends the last paragraph.
        for line in lines + [""] {
            if line.hasPrefix("```") {
                if language == nil { found.formUnion(try Self.inParagraph(part)) }
                if language == "sh" { found.formUnion(Self.inShell(part)) }
                language = language == nil ? String(line.dropFirst(3)) : nil
                part = ""
            } else if language == nil, line.isEmpty {
                found.formUnion(try Self.inParagraph(part))
                part = ""
            } else {
                part += line + "\n"
            }
        }
        return found
    }

    /// A block for a shell, where a stroke at the end of a line joins it with the next one.
    private static func inShell(_ block: String) -> [PrintedCommand] {
        let lines = block.replacing("\\\n", with: " ").split(separator: "\n")
        return lines.flatMap { line -> [PrintedCommand] in
            let said = line.split(separator: "#", omittingEmptySubsequences: false)[0]
            return said.split(whereSeparator: { $0 == "&" || $0 == "|" }).flatMap { Self.read($0) }
        }
    }

    /// A paragraph or a table, whose words between backticks may go on in the next line.
    ///
    /// - Throws: where a backtick has no fellow, as what is inside and what outside cannot be told then.
    private static func inParagraph(_ text: String) throws -> [PrintedCommand] {
        // A table has its bars behind a stroke.
        let parts = text.replacing("\\|", with: "|").split(separator: "`", omittingEmptySubsequences: false)
        guard !parts.count.isMultiple(of: 2) else { throw GaveUp(description: "A backtick without a fellow: \(text)") }
        return parts.enumerated().flatMap { place, span in place.isMultiple(of: 2) ? [] : Self.read(span) }
    }

    /// A command line, with `add|list` for one or the other.
    private static func read(_ text: Substring) -> [PrintedCommand] {
        var words = text.split(whereSeparator: \.isWhitespace).drop { $0 == "sudo" }
        guard let program = words.popFirst(), ["latchkeyd", "latchkey"].contains(program) else { return [] }
        let options = Set(words.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) })
        var lines = [[String(program)]]
        for word in words {
            guard word.allSatisfy({ $0.isLowercase || $0 == "-" || $0 == "|" }), !word.hasPrefix("-") else { break }
            lines = lines.flatMap { line in word.split(separator: "|").map { line + [String($0)] } }
        }
        return lines.map { PrintedCommand(words: $0, options: options) }
    }
}
