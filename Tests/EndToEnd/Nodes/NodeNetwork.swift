import FoundationEssentials
import Glibc
import RealPrograms
import TestSupport

/// A network namespace with two links to this machine: one leads to PostgreSQL, the other one to the boxes.
///
/// It takes root, and is gone when the test is over.
struct NodeNetwork: Sendable {
    /// Where PostgreSQL listens, on this side.
    static let servers = ["10.214.9.1", "10.214.9.2"]
    /// Where a node in the namespace listens, and where the boxes' calls come from.
    static let node = "10.214.2.2"
    static let boxes = "10.214.2.1"

    private static let program = "/usr/sbin/ip"
    static let isAvailable = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: program)

    private let name = "latchkey-\(getpid())"
    private var links: [String] { ["lk\(getpid())d", "lk\(getpid())b"] }

    /// What a shell does to become a program in the namespace.
    var preparation: String { "exec \(Self.program) netns exec \(self.name) \"$0\" \"$@\"" }

    static func with(_ body: (NodeNetwork) async throws -> Void) async throws {
        let network = NodeNetwork()
        try await ending({ await network.remove() }) {
            try await network.make()
            try await body(network)
        }
    }

    private func make() async throws {
        try await self.ip("netns add \(self.name)")
        try await self.ip("-n \(self.name) link set lo up")
        for (number, link) in self.links.enumerated() {
            try await self.ip("link add \(link) type veth peer name n\(number) netns \(self.name)")
            try await self.ip("addr add 10.214.\(number + 1).1/30 dev \(link)")
            try await self.ip("-n \(self.name) addr add 10.214.\(number + 1).2/30 dev n\(number)")
            try await self.ip("link set \(link) up")
            try await self.ip("-n \(self.name) link set n\(number) up")
        }
        for address in Self.servers { try await self.ip("addr add \(address)/32 dev lo") }
        try await self.ip("-n \(self.name) route add 10.214.9.0/24 via 10.214.1.1")
    }

    private func remove() async {
        for link in self.links { try? await self.ip("link del \(link)") }
        for address in Self.servers { try? await self.ip("addr del \(address)/32 dev lo") }
        try? await self.ip("netns del \(self.name)")
    }

    /// Takes PostgreSQL out of the reach of the namespace without a word.
    func cut() async throws { try await self.ip("link set \(self.links[0]) down") }

    func mend() async throws { try await self.ip("link set \(self.links[0]) up") }

    private func ip(_ words: String) async throws {
        let (end, _, talk) = try await ChildProcess(Self.program, words.split(separator: " ").map(String.init)).run()
        guard end == .exited(0) else { throw GaveUp(description: "ip \(words): \(talk)") }
    }
}
