import AccessEnabler
import Dispatch
import FoundationEssentials
import POSIX
import TestSupport
import Testing

/// Four files at once, each with processes that are killed one after the other while this one writes, too.
private let lanes = 4
private let killsPerLane = 250

@Suite("A process that is killed while it writes tokens")
struct StoreCrashTests {
    @Test(.timeLimit(.minutes(15))) func `T-280 A thousand interrupted writes lose no committed token`() async throws {
        let interrupted = try await concurrently(lanes) { number in
            try await CrashLane(seed: UInt64(20_260_102 + number)).run(rounds: killsPerLane)
        }.reduce(0, +)
        // Kills between two writes would prove nothing.
        #expect(interrupted > lanes * killsPerLane / 20, "\(interrupted) kills left a draft or an unannounced token")
    }
}

/// One store, its writers and what they promised.
private final class CrashLane {
    private let folder: TemporaryFolder
    private let path: String
    private let vault: TokenVault
    private var generator: SeededGenerator
    /// The number last committed in each place, by the writer's word.
    private var promised: [Int: Int] = [:]
    private var next = 0

    init(seed: UInt64) throws {
        self.folder = try TemporaryFolder()
        self.path = self.folder.file("state/store.json")
        self.vault = testVault(AccessEnabler.PrivateFileStore(path: self.path))
        self.generator = SeededGenerator(seed: seed)
    }

    /// - Returns: how many kills certainly hit a write.
    func run(rounds: Int) async throws -> Int {
        var interrupted = 0
        for round in 0..<rounds where try await self.killOne(round) { interrupted += 1 }
        return interrupted
    }

    private func killOne(_ round: Int) async throws -> Bool {
        let child = try ChildProcess(writerProgram(), [self.path, "\(self.next)"])
        let count = Int.random(in: 0..<4, using: &self.generator)
        let delay = Int.random(in: 0..<4000, using: &self.generator)
        async let collected = Self.kill(child, after: count, delay)
        // This process writes at the same time; a writer that dies with the lock must not stand in its way.
        try await self.write(round)
        let lines = await collected
        #expect(await child.waitForEnd() == .signalled(9))
        var last = self.next - 1
        for line in lines {
            let number = try #require(Int(line), "the writer says: \(line)")
            #expect(number == last + 1)
            last = number
            self.promised[number % 16] = number
        }
        let wasDraftLeft = try Folder.names(in: Folder.containing(self.path)).contains("store.json.new")
        let stored = try await self.check(round)
        // The one after the last promised may have been committed without a word, no other.
        let newest = stored.max() ?? last
        #expect(newest <= last + 1, "round \(round)")
        self.next = max(last, newest) + 1
        return wasDraftLeft || newest > last
    }

    /// Writes, and again when the writer held the lock for longer than a box waits, as it may on a busy disk.
    private func write(_ round: Int) async throws {
        while true {
            do {
                try await self.vault.update { image in
                    image[requestor: "SURVIVOR", mvpd: "mvpd"].userMetadata = "\(round)"
                }
                return
            } catch {
                guard error.detail?.contains("another program holds it") == true else { throw error }
            }
        }
    }

    /// Kills it a while after it committed `count` tokens. - Returns: everything it said.
    private static func kill(_ child: ChildProcess, after count: Int, _ microseconds: Int) async -> [String] {
        var lines: [String] = []
        func killSoon() {
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { child.send(9) }
        }
        if count == 0 { killSoon() }
        for await line in child.outputLines {
            lines.append(line)
            if lines.count == count { killSoon() }
        }
        // Also where the test is given up: nothing else ends it.
        child.send(9)
        return lines
    }

    /// Reads the file as a program would that starts now. - Returns: the numbers of the writers' tokens.
    private func check(_ round: Int) async throws -> [Int] {
        let bytes = Array(try Data(contentsOf: URL(filePath: self.path)))
        let image = try #require(
            StoreImage(reading: bytes, scope: testScope), "round \(round): the file is not readable")
        #expect(image[requestor: "SURVIVOR", mvpd: "mvpd"].userMetadata == "\(round)", "round \(round)")
        var stored: [Int: Int] = [:]
        for (id, provider) in image[requestor: "WRITER"].mvpds {
            let token = try #require(provider.authn)
            let number = Int(token.stored)
            #expect(token.xml == "<token>\(number)</token>" && id == "mvpd-\(number % 16)", "round \(round)")
            stored[number % 16] = number
        }
        for (place, number) in self.promised {
            #expect(stored[place] ?? -1 >= number, "round \(round): \(number) is lost")
        }
        return Array(stored.values)
    }
}

/// The writer lies beside the program that runs the tests.
private func writerProgram() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return "\(Folder.containing(tests))/TokenStoreWriter"
}
