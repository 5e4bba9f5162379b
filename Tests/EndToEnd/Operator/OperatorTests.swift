import FoundationEssentials
import TestSupport
import Testing

@testable import Stores

/// Runs `walk.sh`, which is the operator, and reads off its checks.
@Suite("An operator with nothing but README and OPERATING", .timeLimit(.minutes(5)))
struct OperatorTests {
    @Test("Sets up, pairs ten viewers' boxes, answers twelve questions, comes back from a backup, upgrades, and back")
    func walk() async throws {
        let folder = try TemporaryFolder()
        let stage = folder.file("stage")
        try FileManager.default.createDirectory(atPath: stage, withIntermediateDirectories: false)
        let former = folder.file("former.sqlite")
        try Self.makeFormerStore(former)
        let process = try ChildProcess(
            "Tests/EndToEnd/Operator/walk.sh", [ProgramFolder.own.path, stage, former],
            environment: ["HOME": folder.file("."), "LC_ALL": "C.UTF-8"])
        let (end, output, talk) = await process.run()
        let lines = output.split(separator: "\n")
        for line in lines where !line.hasPrefix("passed  ") && line != lines.last { Issue.record("\(line)") }
        // One that ends early checks less.
        let passed = lines.last.flatMap { try? /(\d+) passed, 0 failed/.wholeMatch(in: $0) }.flatMap {
            Int($0.output.1)
        }
        #expect(passed == lines.count - 1, "\(output.suffix(600))\(talk.suffix(2000))")
        #expect((passed ?? 0) >= Self.checks)
        #expect(end == .exited(0))
        for question in 1...12 {
            #expect(lines.contains { $0.hasPrefix("passed  question \(question): ") }, "question \(question)")
        }
    }

    /// How many there are at least: a walk that loses an act on its way is noticed.
    private static let checks = 100

    /// An empty store of the schema before the present one.
    private static func makeFormerStore(_ file: String) throws {
        try StoreFile.prepare(file)
        let script = try String(contentsOfFile: "Tests/Server/StoreSQLiteTests/Schemas/schema1.sql", encoding: .utf8)
        let connection = try SQLiteConnection(opening: file)
        for statement in script.split(separator: "\n-- next\n").dropFirst() where !statement.hasPrefix("INSERT") {
            try connection.run(SQL(raw: String(statement)))
        }
    }
}
