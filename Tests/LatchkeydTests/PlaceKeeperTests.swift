import CommandLineTool
import FoundationEssentials
import HTTPServer
import Observability
import ServerAPI
import Synchronization
import TestSupport
import Testing

@testable import latchkeyd

@Suite("The keeper of places")
struct PlaceKeeperTests {
    private final class Lines: Sendable {
        let said = Mutex<[String]>([])

        var logger: Logger {
            Logger(
                component: "test", sink: LogSink { line in self.said.withLock { $0.append(line) } },
                clock: { LogTime(milliseconds: 0) })
        }

        var count: Int { self.said.withLock { $0.count } }
    }

    private static func town(_ keeper: PlaceKeeper) throws -> String? {
        keeper.book.place(of: try #require(IPAddress("192.0.2.7")))?.town
    }

    /// Puts a file in the place of another, as an update does.
    private static func put(_ folder: TemporaryFolder, _ city: String) throws {
        try folder.write("network,country,city\n192.0.2.0/24,DE,\(city)\n", to: "new.csv")
        let path = folder.file("places.csv")
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.moveItem(atPath: folder.file("new.csv"), toPath: path)
    }

    @Test("reads the file, again when it changed, and shows none when there is none any more")
    func follows() async throws {
        let (lines, folder) = (Lines(), try TemporaryFolder())
        let keeper = PlaceKeeper(logger: lines.logger)
        try Self.put(folder, "Berlin")
        keeper.follow(folder.file("places.csv"))
        #expect(try Self.town(keeper) == nil)
        await keeper.read()
        #expect(try Self.town(keeper) == "Berlin")
        await keeper.read()
        #expect(lines.count == 1)
        try Self.put(folder, "Potsdam")
        await keeper.read()
        #expect(try Self.town(keeper) == "Potsdam")
        #expect(lines.count == 2)
        keeper.follow(nil)
        await keeper.read()
        #expect(try Self.town(keeper) == nil)
        keeper.follow(folder.file("places.csv"))
        await keeper.read()
        #expect(try Self.town(keeper) == "Potsdam")
    }

    @Test("keeps the places that it has when a file is missing or wrong, and says the line")
    func faults() async throws {
        let (lines, folder) = (Lines(), try TemporaryFolder())
        let keeper = PlaceKeeper(logger: lines.logger)
        try Self.put(folder, "Berlin")
        keeper.follow(folder.file("places.csv"))
        await keeper.read()
        try Self.put(folder, "Potsdam\n192.0.2.0/33,DE,Ulm")
        await keeper.read()
        #expect(lines.said.withLock { $0.last?.contains("line 3: has no network such as") } == true)
        keeper.follow(folder.file("missing.csv"))
        await keeper.read()
        #expect(lines.count == 3)
        #expect(try Self.town(keeper) == "Berlin")
    }

    @Test("check-config warns of a file of places that cannot be used, with the line, and finds no fault in it")
    func checked() async throws {
        let setUp = try await TestSetUp.demo()
        let text = try setUp.folder.read("server/latchkeyd.json5")
        #expect(text.contains(#"// places: "places.csv","#))
        let used = text.replacing(#"// places: "places.csv","#, with: #"places: "places.csv","#, maxReplacements: 1)
        try setUp.folder.write(used, to: "server/latchkeyd.json5")
        let path = setUp.file("places.csv")
        for (content, expected) in [
            ("network,country\n192.0.2.0/24,DE\n", nil),
            ("network,country\n192.0.2.0/24\n", "line 2: has no column country"),
        ] {
            try Data(content.utf8).write(to: URL(filePath: path))
            let run = try await CommandRun.run("check-config", setUp.configurationFile)
            #expect(run.code == .success && run.output == "")
            #expect(run.talk.contains("a file of places that no page can use") == (expected != nil), "\(run.talk)")
            if let expected { #expect(run.talk.contains("\(expected), file \(path)"), "\(run.talk)") }
        }
    }
}
