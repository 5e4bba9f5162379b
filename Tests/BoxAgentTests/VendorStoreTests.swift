import AccessEnabler
import Clientless
import FoundationEssentials
import Glibc
import HTTPClient
import POSIX
import RealPrograms
import Synchronization
import TestSupport
import Testing

@testable import BoxAgent

@Suite("latchkey agent with vendor groups", .serialized, .timeLimit(.minutes(5)))
struct VendorStoreTests {
    private static let member = 12_345
    private static let other = 12_346
    private static let store = "/v1/vendor-groups/NorthMedia/store"

    /// What the agent calls this process by.
    private static func ownName() throws -> String {
        var ends: [Int32] = [0, 0]
        let status = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(status == 0)
        defer { for end in ends { close(end) } }
        let peer = try #require(UnixPeer(of: ends[0]))
        return try #require(Callers().caller(of: peer)).application.name
    }

    private static func folder(_ url: String) throws -> TemporaryFolder {
        try RunningAgent.folder(
            url,
            more: """
                agent: { vendorGroups: { NorthMedia: ['user:\(Self.member)', '\(try Self.ownName())'],
                    SouthMedia: ['user:\(Self.other)'] } },
                """)
    }

    /// Lends a running agent.
    private func with(_ body: (RunningAgent) async throws -> Void) async throws {
        let service = try ScriptedService()
        let agent = try RunningAgent(try Self.folder(service.url))
        try await agent.isReady()
        try await body(agent)
        #expect(await agent.stop() == .exited(0))
    }

    /// An application's store, which has nowhere else to go.
    private func store(_ agent: RunningAgent) -> AccessEnabler.AgentVendorGroupStore {
        AccessEnabler.AgentVendorGroupStore(
            group: .init(identifier: "NorthMedia", deviceScope: "test"), socketPath: agent.socket,
            ownStore: AccessEnabler.MemoryStore())
    }

    @Test("serves the members that have a permission, and tells no one else of a group", .enabled(if: geteuid() == 0))
    func matrix() async throws {
        try await self.with { agent in
            let known = "If-Match: \"0\""
            for (permission, code) in [("undetermined", "permission_undetermined"), ("denied", "permission_denied")] {
                for user in [Self.member, Self.other] {
                    let change = "{\"permission\":\"\(permission)\"}"
                    #expect(try await agent.call(.put, "/v1/permissions/user:\(user)", change).status == 204)
                    for (method, path) in [
                        ("GET", "/v1/vendor-groups"), ("GET", Self.store), ("PUT", Self.store), ("DELETE", Self.store),
                        ("GET", "/v1/vendor-groups/NorthMedia/set-aside/1"),
                    ] {
                        let answer = try await agent.call(as: user, method, path, headers: [known])
                        #expect(answer.status == 403 && answer.json["error"]?.text == code, "\(method) \(path)")
                    }
                }
            }
            for user in [Self.member, Self.other] {
                let change = "{\"permission\":\"granted\"}"
                #expect(try await agent.call(.put, "/v1/permissions/user:\(user)", change).status == 204)
            }
            let start = try await agent.start()
            let groups = try await agent.call(as: Self.member, "GET", "/v1/vendor-groups").json["groups"]?.list
            #expect(groups?.compactMap(\.text) == ["NorthMedia"])
            #expect(try await agent.call(as: Self.member, "GET", Self.store).status == 204)
            let kept = try await agent.call(as: Self.member, "PUT", Self.store, "{\"a\":1}", headers: [known])
            #expect(kept.status == 200 && kept.json["version"]?.text?.utf8.count == 32, "\(kept)")
            let late = try await agent.call(as: Self.member, "PUT", Self.store, "{\"b\":1}", headers: [known])
            #expect(late.status == 412 && late.json["error"]?.text == "changed_meanwhile", "\(late)")
            #expect(try await agent.call(as: Self.member, "GET", Self.store).json["a"]?.number == 1)
            let version = kept.json["version"]?.text ?? ""
            let same = ["If-None-Match: \"\(version)\""]
            #expect(try await agent.call(as: Self.member, "GET", Self.store, headers: same).status == 304)
            for headers in [[], ["If-Match: *"], [known, known]] {
                let answer = try await agent.call(as: Self.member, "PUT", Self.store, "{}", headers: headers)
                #expect(answer.status == 400, "\(headers)")
            }
            for query in ["?former=all", "?former=schema-0", "?former=schema-10", "?later=1"] {
                let answer = try await agent.call(as: Self.member, "PUT", Self.store + query, "{}", headers: [known])
                #expect(answer.status == 400, "\(query)")
            }
            // A group of others is as one that is not there.
            for path in [Self.store, "/v1/vendor-groups/WestMedia/store"] {
                for (method, body) in [("GET", nil), ("PUT", "{}"), ("DELETE", nil)] as [(String, String?)] {
                    let answer = try await agent.call(as: Self.other, method, path, body, headers: [known])
                    #expect(answer.status == 404 && answer.json["error"]?.text == "not_found", "\(method) \(answer)")
                }
            }
            // So is an event about it.
            let seen = try await agent.call(as: Self.member, "GET", "/v1/events?after=\(start)").json["events"]?.list
            let event = try #require(seen?.first { $0["event"]?.text == "store_changed" })
            #expect(event["group"]?.text == "NorthMedia" && event["contentVersion"]?.text == version)
            let unseen = try await agent.call(as: Self.other, "GET", "/v1/events?after=\(start)").json["events"]?.list
            #expect(unseen?.contains { $0["event"]?.text == "store_changed" } == false)

            let file = agent.folder.file("state/vendor-groups/NorthMedia.json")
            #expect(try FileStatus(of: file).mode == 0o600)
            #expect(try FileStatus(of: agent.folder.file("state/vendor-groups")).mode & 0o777 == 0o700)
            let aside = try await agent.call(as: Self.member, "DELETE", Self.store)
            #expect(aside.status == 200 && aside.json["setAside"]?.text == "\(file).corrupt-1", "\(aside)")
            #expect(try await agent.call(as: Self.member, "GET", Self.store).status == 204)
        }
    }

    @Test("shares a sign-in between the libraries of two applications, and tells the one of the other's")
    func library() async throws {
        try await self.with { agent in
            let player = self.store(agent)
            let guide = self.store(agent)
            #expect(try await guide.isKeptByAgent())
            // The one that only listens hears of each change.
            let news = News()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in guide.changes { break }
                    news.isHeard.store(true, ordering: .releasing)
                }
                group.addTask {
                    let vault = testVault(player)
                    while !news.isHeard.load(ordering: .acquiring) { try await vault.update { $0.clearTokens() } }
                }
                try await group.waitForAll()
            }
            let generation = try await testVault(player).image().generation
            #expect(try await testVault(guide).image().generation == generation && generation > 0)
            // More than a call without a content may have.
            let large = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
            _ = try await player.transaction { _ in .replace(large) }
            #expect(try await guide.content().bytes == large)
            let tooLarge = [UInt8](repeating: UInt8(ascii: "a"), count: (4 << 20) + 1)
            await #expect(throws: AccessEnabler.TokenStoreError.self) {
                _ = try await player.transaction { _ in .replace(tooLarge) }
            }
            #expect(try await guide.content().bytes == large)
        }
    }

    @Test("keeps what it said it kept, whenever it is killed")
    func cuts() async throws {
        let service = try ScriptedService()
        let folder = try Self.folder(service.url)
        var acknowledged = 0
        for round in 0..<6 {
            let agent = try RunningAgent(folder)
            try await agent.isReady()
            let store = self.store(agent)
            let text = String(decoding: try await store.content().bytes ?? Array("0".utf8), as: UTF8.self)
            let number = try #require(Int(text), "round \(round): \(text)")
            // The last one may have been kept without a word.
            #expect(number == acknowledged || number == acknowledged + 1, "round \(round)")
            acknowledged = number
            for count in 0... {
                if count == 5 + round { agent.process.send(SIGKILL) }
                do {
                    let next = acknowledged + 1
                    _ = try await store.transaction { _ in .replace(Array("\(next)".utf8)) }
                    acknowledged = next
                } catch {
                    break
                }
            }
            _ = await agent.process.waitForEnd()
        }
        #expect(acknowledged >= 30)
    }

    @Test(
        "does not start with a group or an application that cannot be",
        arguments: [
            "{ '..': ['user:a'] }", "{ A: ['kodi'] }", "{ A: 'user:a' }", "{ 'a/b': ['user:a'] }", "['A']",
        ])
    func faults(groups: String) async throws {
        let service = try ScriptedService()
        let agent = try RunningAgent(
            try RunningAgent.folder(service.url, more: "agent: { vendorGroups: \(groups) },"))
        #expect(await agent.process.waitForEnd() == .exited(78))
    }
}

/// Whether one application heard what another did.
private final class News: Sendable {
    let isHeard = Atomic<Bool>(false)
}

private func testVault(_ store: any AccessEnabler.TokenStore) -> TokenVault {
    TokenVault(store: store, scope: "test", now: { Timestamp(milliseconds: 1_800_000_000_000) })
}
