import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import HTTPClient
import RealPrograms
import Stores
import TestSupport
import Testing
import latchkeyd

/// Vectors that carry a moment, played to programs whose clock shows that moment.
@Suite("Published vectors of the past", .serialized, .needsOwnService, .timeLimit(.minutes(5)))
struct PastVectorTests {
    @Test("The three headers of 7.7 are accepted by a server of that minute, as they are printed, and by no later one")
    func headers() async throws {
        let file = try SignedRequestVectors.load()
        let folder = try TemporaryFolder()
        let first = try #require(file.vectors.first?.time)
        let clock = try ServerClock(file: folder.file("clock"))
        try clock.stop(at: first)
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            var requestors = configuration["requestors"]?.list ?? []
            guard var printed = requestors.last else { return }
            printed["id"] = "NORTHSPORT"
            printed["strictness"] = "compatible"
            requestors.append(printed)
            configuration["requestors"] = .list(requestors)
        }
        try await Self.save(file, in: demo)
        let server = try await RunningService.start(demo, clock: clock, alone: true)
        let client = HTTPClient()
        // Each on its own call; the second and the third are of a box that is not signed in.
        let calls: [(HTTPClient.Method, String, Int)] = [
            (.post, "/reggie/v1/NORTHSPORT/regcode?deviceId=dev-1", 201),
            (.get, "/api/v1/authorize?deviceId=dev-1&resource=x", 403),
            (.get, "/api/v1/mediatoken?deviceId=dev-1&requestor=NORTHSPORT&resource=North%20Sport%20HD", 403),
        ]
        #expect(calls.count == file.vectors.count)
        // The clock window is a quarter of an hour.
        for (moved, isAccepted) in [(Int64(0), true), (890_000, true), (903_000, false), (-901_000, false)] {
            try clock.stop(at: first + moved)
            for (vector, call) in zip(file.vectors, calls) {
                var request = HTTPClient.Request(call.0, server.url + call.1)
                request.headers = ["Authorization": vector.header, "Accept": "application/json"]
                let answer = try await client.send(request)
                #expect(answer.status == (isAccepted ? call.2 : 401), "\(vector.verb) at \(moved): \(answer.summary)")
            }
        }
        await client.shutDown()
        try await server.stopWithoutFault()
    }

    /// Puts the printed key pair into a store, as a server seals it.
    private static func save(_ file: SignedRequestVectors, in demo: DemoFolder) async throws {
        let keys = try KeyFolder("\(demo.path)/keys").serverKeys()
        let sealed = try keys.seal.seal(
            Secret(file.privateKey), authenticating: Credentials.purpose(of: file.publicKey).utf8)
        let store = try await SQLiteStore.open(demo.store)
        let created = Timestamp(milliseconds: 0)
        try await store.save(
            KeyPairRecord(
                publicKey: file.publicKey, sealedPrivateKey: sealed,
                requestors: [try #require(RequestorID("NORTHSPORT"))], created: created, ends: nil),
            audit: AuditEntry(time: created, actor: "test", action: "key-pair.create", subject: file.publicKey))
        await store.close()
    }

    @Test("latchkeyd verify-media-token gives the four results of 22.5 at the moments that are printed")
    func mediaToken() async throws {
        let vector = try MediaTokenVector.load()
        let folder = try TemporaryFolder()
        let key = try folder.write(vector.publicKey, to: "key.pem")
        let clock = try ServerClock(file: folder.file("clock"))
        func result(of document: String, for resource: String) async throws -> JSON? {
            let token = Base64.encode(Array(document.utf8))
            let arguments = [
                "verify-media-token", "--key", key, "--requestor", vector.requestor, "--channel", resource, token,
            ]
            let program = try ChildProcess(ProgramFolder.own.server, arguments, environment: clock.environment)
            return try JSON(parsing: await program.run().output)["result"]
        }
        for check in vector.checks {
            try clock.stop(at: Int64(try Date(check.at, strategy: .iso8601).timeIntervalSince1970 * 1000))
            #expect(try await result(of: vector.document(), for: check.resource) == .text(check.result))
            let changed = vector.element.replacing("420000", with: "420001")
            let forged = try await result(of: vector.document(of: changed), for: check.resource)
            #expect(forged == .text(vector.changedElement))
        }
    }
}
