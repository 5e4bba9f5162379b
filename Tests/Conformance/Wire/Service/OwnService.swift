import HTTPClient
import Lending
import RealPrograms
import TestSupport

var own: OwnService { OwnService.$current.lent() }

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
    /// Of several, the one whose turn is first.
    let server: RunningServer
    let service: Service

    static func with(_ body: (OwnService) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"), aheadBy: Self.past)
        let demo = try await DemoFolder.make(.own, in: folder.file("server")) { configuration in
            try Self.configure(&configuration, in: folder.file("server"))
        }
        let setUp = try await ServiceSetUp.make(in: demo, clock)
        let client = HTTPClient()
        // Servers that share a store go by its machine's clock, so what is over by now is made before they do.
        let before = try await RunningServer.start(demo, .own, clock: clock)
        let expired = try await ending({ await before.stop() }) { try await setUp.accessToken(at: before.url, client) }
        try clock.set(aheadBy: 0)
        let running = try await RunningService.start(demo, clock: clock)
        let throttled = try await RunningServer.start(setUp.throttled, .own, clock: clock)
        do {
            let profile = setUp.profile(expiredAccessToken: expired)
            let service = Service(url: running.url, profile: profile, client: client)
            try await body(OwnService(demo: demo, server: running.servers[0], service: service))
        } catch {
            await client.shutDown()
            await running.kill()
            await throttled.kill()
            throw error
        }
        await client.shutDown()
        // Both are ended before either is judged.
        await throttled.stop()
        try await running.stopWithoutFault()
        try await throttled.stopWithoutFault()
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
        configuration["providers"] = .list(providers + [["id": .text(self.otherMVPD), "name": "Other TV"]] + passes)
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
