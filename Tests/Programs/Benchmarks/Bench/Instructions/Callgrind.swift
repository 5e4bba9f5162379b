import FoundationEssentials
import RealPrograms
import TestSupport

/// A server whose instructions valgrind counts: the same number on any machine, busy or not.
struct Callgrind: Sendable {
    /// The instructions of one measured stretch, by function.
    struct Profile {
        /// By a function's name as the linker has it.
        fileprivate(set) var own: [String: Int] = [:]
        /// With what a function calls.
        fileprivate(set) var whole: [String: Int] = [:]

        var sum: Int { self.own.values.reduce(0, +) }

        static func - (profile: Self, other: Self) -> Self {
            Self(
                own: profile.own.merging(other.own.mapValues { -$0 }, uniquingKeysWith: +),
                whole: profile.whole.merging(other.whole.mapValues { -$0 }, uniquingKeysWith: +))
        }
    }

    private let files: String
    private let pid: Int32

    /// What a shell does to start the server with its instructions counted, once ``begin()`` says so. Hash tables have the
    /// same order in every run.
    static func preparation(in folder: String) -> String {
        "export SWIFT_DETERMINISTIC_HASHING=1; exec valgrind --tool=callgrind --instr-atstart=no"
            + " --callgrind-out-file=\(folder)/profile \"$0\" \"$@\""
    }

    init(_ server: RunningServer, in folder: String) {
        self.files = "\(folder)/profile"
        self.pid = server.pid
    }

    func begin() async throws { try await self.control("-i", "on") }

    /// Counts what the server does for `work`: without what it does of its own in as much time, which grows with the load of
    /// the machine.
    /// - Parameter number: of the stretch, from 0.
    func count(stretch number: Int, _ work: () async throws -> Void) async throws -> Profile {
        let clock = ContinuousClock()
        let start = clock.now
        let busy = try await self.profile(2 * number + 1, of: work)
        let length = clock.now - start
        let idle = try await self.profile(2 * number + 2) { try await clock.sleep(for: length) }
        // On a machine that is this busy the server's own work is not the same in both.
        guard idle.sum * 4 < busy.sum
        else { throw NotMeasured(description: "the machine is too busy for counting what calls take") }
        return busy - idle
    }

    private func profile(_ number: Int, of work: () async throws -> Void) async throws -> Profile {
        try await self.control("-z")
        try await work()
        try await self.control("-d")
        let file = try Data(contentsOf: URL(filePath: "\(self.files).\(number)"))
        return try Self.profile(String(decoding: file, as: UTF8.self))
    }

    private func control(_ words: String...) async throws {
        let (end, output, talk) = try await ChildProcess("callgrind_control", words + ["\(self.pid)"]).run()
        guard end == .exited(0) else { throw NotMeasured(description: "callgrind_control: \(output) \(talk)") }
    }

    /// Reads callgrind's format: `fn=(7) name` once and `fn=(7)` from then on, lines of a position and a count, and after
    /// `calls=` a line with the count of the function that is called.
    private static func profile(_ text: String) throws -> Profile {
        var (names, profile) = ([Substring: String](), Profile())
        var (function, called) = ("", "")
        var isCall = false
        func name(_ text: Substring) -> String {
            let end = text.firstIndex(of: ")") ?? text.startIndex
            if let space = text[end...].firstIndex(of: " ") {
                names[text[..<end]] = String(text[text.index(after: space)...])
            }
            return names[text[..<end]] ?? ""
        }
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fn=") {
                function = name(line.dropFirst(3))
            } else if line.hasPrefix("cfn=") {
                called = name(line.dropFirst(4))
            } else if line.hasPrefix("calls=") {
                isCall = true
            } else if let first = line.utf8.first, "0123456789+-*".utf8.contains(first),
                let count = line.split(separator: " ").last.flatMap({ Int($0) })
            {
                if isCall {
                    profile.whole[called, default: 0] += count
                } else {
                    profile.own[function, default: 0] += count
                }
                isCall = false
            }
        }
        return profile
    }
}
