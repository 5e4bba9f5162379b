import Glibc
import POSIX
import TestSupport
import Testing

@testable import latchkey

@Suite("Permissions")
struct PermissionTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private let kodi = Application("unit:kodi.service")!
    private let caller = AgentCaller(application: Application("unit:kodi.service")!, user: 1001, isOperator: false)
    private let root = AgentCaller(application: Application("user:root")!, user: 0, isOperator: true)

    @Test func `are undetermined until they are decided, granted to operators, and kept`() throws {
        let path = folder.file("permissions.json")
        let desk = try PermissionDesk(path: path)
        #expect(desk.permission(of: self.caller) == .undetermined && desk.permission(of: self.root) == .granted)
        #expect(desk.ask(for: self.caller) && !desk.ask(for: self.caller) && !desk.ask(for: self.root))
        #expect(desk.all.map(\.permission) == [.undetermined])
        try desk.decide(.granted, for: self.kodi)
        #expect(desk.permission(of: self.caller) == .granted)
        #expect(try FileStatus(of: path).mode == 0o600)
        #expect(try PermissionDesk(path: path).permission(of: self.caller) == .granted)
        try desk.decide(.denied, for: self.kodi)
        #expect(try PermissionDesk(path: path).permission(of: self.caller) == .denied)
        try desk.decide(.undetermined, for: self.kodi)
        #expect(desk.all.isEmpty && desk.ask(for: self.caller))
    }

    @Test(arguments: [
        "", "{", "{\"version\":2,\"permissions\":{}}", "{\"version\":1,\"permissions\":{\"kodi\":\"granted\"}}",
        "{\"version\":1,\"permissions\":{\"user:kodi\":\"yes\"}}",
    ])
    func `that cannot be understood are put aside, and nothing is granted`(content: String) throws {
        let path = try folder.write(content, to: "permissions.json")
        var place: String?
        let desk = try PermissionDesk(path: path) { place = $0 }
        #expect(desk.all.isEmpty && place == "\(path).damaged")
        #expect(try folder.read("permissions.json.damaged") == content)
    }

    @Test func `that cannot be kept are not changed`() throws {
        let desk = try PermissionDesk(path: folder.file("missing/permissions.json"))
        let error = #expect(throws: AgentError.self) { try desk.decide(.granted, for: self.kodi) }
        #expect(error?.code == .storage)
        #expect(desk.permission(of: self.caller) == .undetermined)
    }

    @Test func `asked for by many leave room for the next, and decided ones are bounded`() {
        var book = PermissionBook()
        for number in 0..<200 { _ = book.ask(for: Application("sandbox:a.\(number)")!) }
        #expect(book.asked.count == PermissionBook.askedLimit && book.asked.last?.name == "sandbox:a.199")
        var accepted = 0
        for number in 0..<2000 where book.decide(.denied, for: Application("user:u\(number)")!) { accepted += 1 }
        #expect(accepted == PermissionBook.decidedLimit)
        let isChanged = book.decide(.granted, for: Application("user:u0")!)
        #expect(isChanged)
        #expect(PermissionBook(content: book.content)?.decided == book.decided)
    }
}
