import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// A `latchkeyd` of one test's own whose clock, and whose boxes' clocks, show what the test says.
struct StoppedService: Sendable {
    let demo: DemoFolder
    let service: Service
    private let clock: ServerClock

    /// - Parameter moment: milliseconds since 1970.
    static func with(
        at moment: Int64, configuring change: (inout JSON) throws -> Void = { _ in },
        _ body: (StoppedService) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"))
        try clock.stop(at: moment)
        let demo = try await DemoFolder.make(.own, in: folder.file("server"), configuring: change)
        let server = try await RunningService.start(demo, clock: clock, alone: true)
        let client = HTTPClient()
        let service = Service(url: server.url, profile: try Self.profile(of: demo), client: client, moment: moment)
        do {
            try await body(StoppedService(demo: demo, service: service, clock: clock))
        } catch {
            await client.shutDown()
            await server.kill()
            throw error
        }
        await client.shutDown()
        try await server.stopWithoutFault()
    }

    /// The service at another moment.
    func at(_ moment: Int64) throws -> Service {
        try self.clock.stop(at: moment)
        var service = self.service
        service.moment = moment
        return service
    }

    private static func profile(of demo: DemoFolder) throws -> Profile {
        let box = try JSON(
            parsing: String(decoding: Data(contentsOf: URL(filePath: demo.boxConfiguration)), as: UTF8.self))
        let viewer = Profile.Account(account: demo.viewer.account, password: demo.viewer.password)
        let privateKey = demo.keyPair.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        return Profile(
            requestor: DemoFolder.compatibleRequestor,
            keyPair: Profile.Keys(publicKey: demo.keyPair.publicKey, privateKey: privateKey),
            softwareStatement: box["softwareStatement"]?.text ?? "", domain: "demo.example",
            redirectURL: "https://demo.example/done", mvpd: DemoFolder.provider, account: viewer,
            otherMVPD: DemoFolder.provider, otherAccount: viewer, resource: DemoFolder.channel,
            otherResource: DemoFolder.deniedChannel, brief: nil, expiredAccessToken: nil, revocable: nil,
            throttled: nil, serverKeyPair: nil, temporaryPass: nil)
    }
}
