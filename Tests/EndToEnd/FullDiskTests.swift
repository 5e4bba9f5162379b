import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real server on a full disk", .serialized, .timeLimit(.minutes(5)))
struct FullDiskTests {
    /// How a disk is made full.
    enum Way: String, CaseIterable {
        /// The process may write to no file beyond its first byte. That needs no privilege.
        case fileSizeLimit
        /// A file system that has no room. Mounting it takes root.
        case smallFileSystem

        static var available: [Way] {
            SmallFileSystem.isAvailable ? [.fileSizeLimit, .smallFileSystem] : [.fileSizeLimit]
        }
    }

    @Test(arguments: Way.available)
    func `Is not ready, goes on with a strict requestor's signed reads, and recovers by itself`(way: Way) async throws {
        let folder = try TemporaryFolder()
        let disk = folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        if way == .smallFileSystem { try #require(SmallFileSystem.mount(disk, megabytes: 16)) }
        defer { if way == .smallFileSystem { SmallFileSystem.unmount(disk) } }
        let demo = try await DemoFolder.make(.own, in: "\(disk)/server")
        // A process that goes beyond the limit is ended by a signal, unless it ignores it.
        let server = try await RunningServer.start(demo, .own, after: "trap '' XFSZ")
        let pair = Pair(folder: folder, demo: demo, server: server)
        let code = try await pair.createCode(device: "before", requestor: DemoFolder.strictRequestor)
        let url = "\(server.url)/activate?code=\(code)"
        try await pair.decide(.confirm, on: RunningBox.Code(text: code, url: url))

        try await Self.fill(disk, way, server)
        try await eventually("a code that cannot be kept") {
            try await Self.status(ofCreating: "full", pair) == 503 ? () : nil
        }
        try await eventually("a server that is not ready") {
            try await server.get("/readyz").status == 503 ? () : nil
        }
        #expect(try await server.get("/healthz").status == 200)
        let registration = try await Self.register(pair)
        #expect(registration.status == 503)
        #expect(registration.headers["Retry-After"] != nil)
        for number in 0..<20 {
            let nonce = "full-\(number)"
            #expect(try await Self.read(nonce: nonce, pair) == 200)
            #expect(try await Self.read(nonce: nonce, pair) == 401, "a nonce counts once")
        }
        #expect(try await Self.status(ofCreating: "full", pair) == 503)

        try await Self.makeRoom(disk, way, server)
        try await eventually("a server that is ready again") {
            try await server.get("/readyz").status == 200 ? () : nil
        }
        #expect(try await Self.status(ofCreating: "after", pair) == 201)
        #expect(try await Self.read(nonce: "full-0", pair) == 401, "a nonce that memory kept counts no second time")
        #expect(try await Self.read(nonce: "after", pair) == 200)
        #expect(await server.stop() == .exited(0))
        let log = await server.log()
        #expect(log.contains("the store keeps no nonces"), "\(log)")
    }

    private static func status(ofCreating device: String, _ pair: Pair) async throws -> Int {
        let path = "/reggie/v1/\(DemoFolder.strictRequestor)/regcode"
        return try await pair.call(
            .post, path, form: "deviceId=\(device)", requestor: DemoFolder.strictRequestor
        ).status
    }

    /// Asks for the box's authentication token.
    private static func read(nonce: String, _ pair: Pair) async throws -> Int {
        let path = "/api/v1/tokens/authn?requestor=\(DemoFolder.strictRequestor)&deviceId=before"
        let call = pair.signed(.get, path, requestor: DemoFolder.strictRequestor, nonce: nonce)
        return try await pair.server.send(call).status
    }

    private static func register(_ pair: Pair) async throws -> HTTPClient.Response {
        var request = HTTPClient.Request(.post, "\(pair.server.url)/o/client/register")
        request.headers["Content-Type"] = "application/json"
        request.body = Array(#"{"software_statement":"\#(try pair.demo.softwareStatement())"}"#.utf8)
        return try await pair.server.send(request)
    }

    private static func fill(_ disk: String, _ way: Way, _ server: RunningServer) async throws {
        switch way {
        case .fileSizeLimit: try await Self.limit("0", server)
        case .smallFileSystem: SmallFileSystem.fill(disk)
        }
    }

    private static func makeRoom(_ disk: String, _ way: Way, _ server: RunningServer) async throws {
        switch way {
        case .fileSizeLimit: try await Self.limit("unlimited", server)
        case .smallFileSystem: SmallFileSystem.makeRoom(disk)
        }
    }

    private static func limit(_ size: String, _ server: RunningServer) async throws {
        let (end, _, talk) = try await ChildProcess("prlimit", ["--pid", "\(server.pid)", "--fsize=\(size):"]).run()
        guard end == .exited(0) else { throw GaveUp(description: "prlimit: \(talk)") }
    }
}
