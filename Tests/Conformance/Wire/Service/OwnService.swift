import Cryptography
import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// A service of the suite's own: a real `latchkeyd` with a set-up that has everything the suite asks for, and one more
/// whose throttle is on.
struct OwnService: Sendable {
    /// Set for the length of the suite, unless the environment names a service.
    @TaskLocal static var current: OwnService?

    /// Eight hours: older than an access token gets.
    static let past: Int64 = -8 * 3_600_000
    static let briefRequestor = "DEMO-BRIEF"
    static let otherMVPD = "OtherTV"
    static let temporaryPass = "ConformancePass"
    /// For three channels and one person.
    static let promotionalPass = "ConformancePromotion"

    let demo: DemoFolder
    let server: ServerProcess
    let service: Service

    static func underTest() throws -> OwnService {
        guard let current else { throw GaveUp(description: "the service is somebody else's") }
        return current
    }

    /// Starts both, lends them to `body`, and ends them on every path.
    static func with(_ body: (OwnService) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"), aheadBy: Self.past)
        var front: String?
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            try Self.configure(&configuration, in: folder.file("server"))
            if Nodes.nginx != nil { front = try Nodes.prepare(&configuration) }
        }
        let setUp = try await ServiceSetUp.make(in: demo, clock)
        let client = HTTPClient()
        var expired: String?
        if Nodes.nginx != nil {
            // Servers that share a store go by its machine's clock, so what is over by now is made before they do.
            let before = try await ServerProcess.start(configuration: demo.serverConfiguration, clock: clock)
            expired = try await setUp.accessToken(at: before.url, client)
            _ = await before.stop()
            try clock.set(aheadBy: 0)
            try await Nodes.move(demo, clock)
        }
        let server = try await ServerProcess.start(configuration: demo.serverConfiguration, clock: clock)
        var nodes: Nodes?
        if let front, let nginx = Nodes.nginx {
            nodes = try await Nodes.start(beside: server, of: demo, at: front, nginx, clock)
        }
        let throttled = try await ServerProcess.start(configuration: setUp.throttledConfiguration, clock: clock)
        do {
            let url = front ?? server.url
            let expired = if let expired { expired } else { try await setUp.accessToken(at: url, client) }
            try clock.set(aheadBy: 0)
            let profile = setUp.profile(expiredAccessToken: expired, throttled: throttled.url)
            let service = Service(url: url, profile: profile, client: client)
            try await body(OwnService(demo: demo, server: server, service: service))
        } catch {
            await client.shutDown()
            await server.kill()
            await throttled.kill()
            await nodes?.other.kill()
            await nodes?.endProxy()
            throw error
        }
        await client.shutDown()
        await nodes?.endProxy()
        var ends = [await server.stop(), await throttled.stop()]
        if let other = nodes?.other { ends.append(await other.stop()) }
        for (end, log) in ends {
            // Whatever the suite sent, the operator must not have been told of a fault, nor by a caller's own words.
            let isForged = log.split(separator: "\n").contains { $0.contains(#/^\W*X-Injected/#) }
            guard end == .exited(0), !log.contains(" error "), !isForged else {
                throw GaveUp(description: "the server ended with \(end) and said:\n\(log)")
            }
        }
    }

    private static func configure(_ configuration: inout JSON, in folder: String) throws {
        // Many tests ask for codes that nobody has, all from one address.
        for limit in ["codeGuesses", "codeGuessesOfSession"] {
            configuration["pairing"] = configuration["pairing"] ?? [:]
            configuration["pairing"]?[limit] = ["failures": 1_000_000]
        }
        let providers = configuration["providers"]?.list ?? []
        let passes: [JSON] = [
            [
                "id": .text(self.temporaryPass), "name": "Pass", "kind": "temporaryPass", "trial": ["lifetime": "10m"],
            ],
            [
                "id": .text(self.promotionalPass), "name": "Promotion", "kind": "temporaryPass",
                "trial": ["lifetime": "10m", "maximumResources": 3, "identityKey": "email"],
            ],
        ]
        configuration["providers"] = .list(
            providers + [["id": .text(self.otherMVPD), "name": "Other TV"]] + passes)
        var requestors = configuration["requestors"]?.list ?? []
        guard let index = requestors.firstIndex(where: { $0["id"] == .text(DemoFolder.compatibleRequestor) }) else {
            throw GaveUp(description: "the demo has no requestor for deployed clients")
        }
        var brief = requestors[index]
        brief["id"] = .text(self.briefRequestor)
        brief["integrations"] = [["provider": .text(DemoFolder.provider), "authenticationLifetime": "1s"]]
        let integrated = [DemoFolder.provider, self.otherMVPD, self.temporaryPass, self.promotionalPass]
        var integrations: [JSON] = integrated.map { ["provider": .text($0)] }
        integrations[1]["platform"] = try PlatformIssuer.configuration(in: folder)
        requestors[index]["integrations"] = .list(integrations)
        configuration["requestors"] = .list(requestors + [brief])
    }
}
