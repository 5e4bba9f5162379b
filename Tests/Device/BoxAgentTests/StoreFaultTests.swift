import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("latchkey agent without room for its state", .serialized, .timeLimit(.minutes(5)))
struct StoreFaultTests {
    enum Way: CaseIterable {
        case full, readOnly

        func begin(_ disk: String) throws {
            switch self {
            case .full: SmallFileSystem.fill(disk)
            case .readOnly: try #require(SmallFileSystem.makeReadOnly(disk))
            }
        }

        func end(_ disk: String) {
            switch self {
            case .full: SmallFileSystem.makeRoom(disk)
            case .readOnly: SmallFileSystem.makeWritable(disk)
            }
        }
    }

    private static let north = "/v1/requestors/NORTHSPORT"
    private static let south = "/v1/requestors/SOUTHSPORT"

    @Test(
        "serves those that are signed in, says what is wrong, and keeps a viewer's sign-in as soon as it can",
        .enabled(if: SmallFileSystem.isAvailable), arguments: Way.allCases)
    func fault(way: Way) async throws {
        let service = try ScriptedService()
        let folder = try RunningAgent.folder(service.url)
        let disk = folder.file("state")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(SmallFileSystem.mount(disk, megabytes: 1))
        defer { SmallFileSystem.unmount(disk) }
        let agent = try RunningAgent(folder)
        try await agent.isReady()
        var start = try await agent.start()
        #expect(try await agent.call(.post, "\(Self.north)/pairing").status == 201)
        service.confirm()
        _ = try await agent.event("approved", after: start)
        service.setCodeState("waiting")
        let shown = try await agent.call(.post, "\(Self.south)/pairing").json

        start = try await agent.start()
        try way.begin(disk)
        service.confirm()
        let error = try await agent.event("error", after: start)
        #expect(error["requestor"]?.text == "SOUTHSPORT" && error["code"]?.text == "storage", "\(error)")
        let standing = try await agent.call(.get, Self.south).json
        #expect(standing["state"]?.text == "pairing" && standing["storeFault"]?.text == error["message"]?.text)
        #expect(try await agent.call(.get, "\(Self.south)/pairing").json["code"] == shown["code"])
        #expect(try await agent.call(.get, Self.north).json["state"]?.text == "signed_in")
        #expect(try await agent.call(.post, "\(Self.north)/authorize", "{\"resource\":\"A\"}").status == 200)
        let change = "{\"permission\":\"granted\"}"
        let refused = try await agent.call(.put, "/v1/permissions/user:kodi", change)
        #expect(refused.status == 503 && refused.json["error"]?.text == "storage", "\(refused)")
        let signOut = try await agent.call(.delete, "\(Self.north)/sign-in")
        #expect(signOut.status == 503 && signOut.json["error"]?.text == "storage", "\(signOut)")
        let doctor = try await ChildProcess(
            ProgramFolder.own.box,
            ["doctor", "--config", folder.file("latchkey.json5"), "--requestor", "NORTHSPORT"]
                + ["--state", folder.file("state/state.json")]
        ).run()
        #expect(doctor.output.contains("fault    state-file"), "\(doctor)")

        start = try await agent.start()
        way.end(disk)
        #expect(try await agent.event("approved", after: start)["requestor"]?.text == "SOUTHSPORT")
        for path in [Self.north, Self.south] {
            let standing = try await agent.call(.get, path).json
            #expect(standing["state"]?.text == "signed_in" && standing["storeFault"] == nil, "\(standing)")
        }
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 2)
        #expect(try await agent.call(.put, "/v1/permissions/user:kodi", change).status == 204)
        #expect(await agent.stop() == .exited(0))
    }
}
