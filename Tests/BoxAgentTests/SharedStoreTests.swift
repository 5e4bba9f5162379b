import AccessEnabler
import POSIX
import TestSupport
import Testing

@testable import BoxAgent

@Suite("The store of a vendor group")
struct SharedStoreTests {
    private let folder: TemporaryFolder
    private var path: String { self.folder.file("vendor-groups/NorthMedia.json") }

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private func write(_ text: String, _ store: SharedStore, knowing version: ContentVersion) async throws
        -> SharedStore.Replacement
    {
        try await store.replace(with: Array(text.utf8), knowing: version, former: .dropped)
    }

    @Test("is replaced only by a caller that knows its version, and tells the version after a restart again")
    func versions() async throws {
        let store = SharedStore(path: self.path)
        let empty = try await store.version()
        #expect(empty.text == "0" && empty.tag == "\"0\"")
        #expect(try await self.write("a", store, knowing: ContentVersion(of: [1])) == .outdated)
        let first = ContentVersion(of: Array("a".utf8))
        #expect(try await self.write("a", store, knowing: empty) == .kept(first, isNew: true, setAside: nil))
        #expect(try await self.write("b", store, knowing: empty) == .outdated)
        #expect(try await self.write("a", store, knowing: first) == .kept(first, isNew: false, setAside: nil))
        let again = SharedStore(path: self.path)
        #expect(try await again.version() == first)
        #expect(try await again.content().bytes == Array("a".utf8))
        #expect(try FileStatus(of: self.path).mode == 0o600)
        #expect(try FileStatus(of: self.folder.file("vendor-groups")).mode & 0o777 == 0o700)
    }

    @Test("is replaced by one of many that know the same version")
    func race() async throws {
        let store = SharedStore(path: self.path)
        let empty = try await store.version()
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let end = try await store.replace(with: [UInt8(number)], knowing: empty, former: .dropped)
                    return end != .outdated
                }
            }
            var wins = 0
            for try await isWin in group where isWin { wins += 1 }
            return wins
        }
        #expect(wins == 1)
    }

    @Test("keeps former contents beside it, and notices a file that was removed")
    func aside() async throws {
        let store = SharedStore(path: self.path)
        _ = try await self.write("newer", store, knowing: ContentVersion(of: nil))
        let version = try await store.version()
        let end = try await store.replace(with: [1], knowing: version, former: .schema(7))
        let place = "\(self.path).schema-7"
        #expect(end == .kept(ContentVersion(of: [1]), isNew: true, setAside: place))
        #expect(try await store.contentSetAside(schema: 7) == Array("newer".utf8))
        #expect(try await store.contentSetAside(schema: 8) == nil)
        #expect(try await store.setAside() == "\(self.path).corrupt-1")
        #expect(try await store.version().text == "0")
        _ = try await self.write("a", store, knowing: ContentVersion(of: nil))
        try PrivateFile(self.path).remove()
        #expect(try await store.version().text == "0")
        #expect(try await store.content().bytes == nil)
    }

    @Test("has versions that a head names as one strong tag")
    func tags() {
        let version = ContentVersion(of: [1, 2, 3])
        #expect(ContentVersion(tag: version.tag) == version && version.text.utf8.count == 32)
        #expect(ContentVersion(tag: version.tag.uppercased()) == version)
        for bad in [
            "", "\"", "\"\"", "0", "*", "\"1\"", "W/\"0\"", "\"0\", \"0\"", "\"\(String(repeating: "a", count: 31))\"",
            "\"\(String(repeating: "g", count: 32))\"", "\"\(String(repeating: "a", count: 400))\"",
            "\"\(String(repeating: "\u{E9}", count: 16))\"",
        ] {
            #expect(ContentVersion(tag: bad) == nil, "\(bad)")
        }
    }

    @Test("belongs to a group whose name is that of a file, and is not there for the applications of others")
    func members() throws {
        for good in ["NorthMedia", "a", "0.b-c_d", String(repeating: "a", count: 64)] {
            #expect(VendorGroupDesk.isName(good))
        }
        for bad in ["", ".", "..", ".a", "-a", "a/b", "a b", "\u{E9}", String(repeating: "a", count: 65)] {
            #expect(!VendorGroupDesk.isName(bad))
        }
        let player = try #require(Application("unit:player.service"))
        let desk = VendorGroupDesk(["North": [player], "South": []], folder: self.folder.path)
        let member = Caller(application: player, user: 1001, isOperator: false)
        let root = Caller(application: try #require(Application("user:root")), user: 0, isOperator: true)
        #expect(desk.names(of: member) == ["North"] && desk.names(of: root).isEmpty)
        #expect(desk.isMember(member, of: "North") && !desk.isMember(member, of: "South"))
        _ = try desk.store(of: "North", for: member)
        for (caller, name) in [(member, "South"), (member, "West"), (root, "North")] {
            #expect(throws: AgentError.self) { try desk.store(of: name, for: caller) }
        }
    }
}
