import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport

/// The records of the suite's own service, made with the server's commands as an operator makes them.
struct ServiceSetUp: Sendable {
    private struct Application {
        let softwareID: String
        let statement: String
    }

    private static let otherAccount = Profile.Account(account: "other", password: "a-long-enough-password")

    let throttled: DemoFolder
    private let demo: DemoFolder
    private let keys: Profile.Keys
    private let serverKeys: Profile.Keys
    private let application: Application
    private let revocable: Application

    /// Makes a key pair, two applications, a viewer of the other provider, and the set-up of the server whose throttle is
    /// on. Only while no server runs.
    static func make(in demo: DemoFolder, _ clock: ServerClock) async throws -> ServiceSetUp {
        func run(_ words: String...) async throws -> JSON {
            let arguments = words + ["--config", demo.serverConfiguration]
            let program = try ChildProcess(ProgramFolder.own.server, arguments, environment: clock.environment)
            let (end, output, talk) = await program.run()
            guard end == .exited(0) else { throw GaveUp(description: "\(words) ended with \(end): \(talk)") }
            return output.isEmpty ? .null : try JSON(parsing: output)
        }
        func application(_ name: String) async throws -> Application {
            let made = try await run(
                "keys", "application", "issue", "--json", "--name", name, "--redirect", "demo.example",
                "--requestor", DemoFolder.compatibleRequestor)
            return Application(
                softwareID: try made.member("softwareID"), statement: try made.member("softwareStatement"))
        }
        let pair = try await run(
            "keys", "issue", "--json", "--requestor", DemoFolder.compatibleRequestor,
            "--requestor", OwnService.briefRequestor)
        let serverPair = try await run(
            "keys", "issue", "--json", "--requestor", DemoFolder.compatibleRequestor, "--server-to-server")
        let password = "\(demo.path)/other-password"
        try Data(self.otherAccount.password.utf8).write(to: URL(filePath: password))
        _ = try await run(
            "user", "add", self.otherAccount.account, "--provider", OwnService.otherMVPD, "--password-file", password,
            "--every-channel")
        let applications = [try await application("Conformance"), try await application("Conformance, revoked")]
        return ServiceSetUp(
            throttled: try self.makeThrottled(demo), demo: demo,
            keys: try Profile.Keys(pair), serverKeys: try Profile.Keys(serverPair),
            application: applications[0], revocable: applications[1])
    }

    /// The same records in a store of its own, an address of its own, and a throttle that lets nothing more through for
    /// as long as a test runs, however slow the machine is.
    private static func makeThrottled(_ demo: DemoFolder) throws -> DemoFolder {
        try FileManager.default.copyItem(atPath: demo.store, toPath: "\(demo.path)/throttled.sqlite")
        let throttled = try demo.neighbour("throttled")
        try throttled.configure { configuration in
            configuration["server"]?["publicURL"] = .text(throttled.url)
            configuration["store"] = ["file": "throttled.sqlite"]
            configuration["calls"]?["throttle"] = ["enabled": true, "deviceInterval": "1h", "deviceBurst": 10]
        }
        return throttled
    }

    /// An access token of the service's present.
    func accessToken(at url: String, _ client: HTTPClient) async throws -> String {
        let registration = try await Registration.make(at: url, self.application.statement, client)
        return try await registration.accessToken()
    }

    func profile(expiredAccessToken: String) -> Profile {
        Profile(
            requestor: DemoFolder.compatibleRequestor, keyPair: self.keys,
            softwareStatement: self.application.statement, domain: "demo.example",
            redirectURL: "https://www.demo.example/done?from=tv&next=%2Fhome", mvpd: DemoFolder.provider,
            account: Profile.Account(account: self.demo.viewer.account, password: self.demo.viewer.password),
            otherMVPD: OwnService.otherMVPD, otherAccount: Self.otherAccount, resource: DemoFolder.channel,
            otherResource: DemoFolder.deniedChannel,
            brief: Profile.Brief(requestor: OwnService.briefRequestor, lifetime: 1),
            expiredAccessToken: expiredAccessToken,
            revocable: Profile.Revocable(
                softwareStatement: self.revocable.statement,
                command: [
                    ProgramFolder.own.server, "keys", "application", "revoke", self.revocable.softwareID,
                    "--config", self.demo.serverConfiguration,
                ]),
            throttled: Profile.Throttled(url: self.throttled.url, burst: 10, interval: 3600),
            serverKeyPair: self.serverKeys, temporaryPass: OwnService.temporaryPass)
    }
}

extension Profile.Keys {
    /// A pair as `latchkeyd keys issue` shows it.
    fileprivate init(_ shown: JSON) throws {
        self.init(publicKey: try shown.member("publicKey"), privateKey: try shown.member("privateKey"))
    }
}

extension JSON {
    fileprivate func member(_ name: String) throws -> String {
        guard let text = self[name]?.text else { throw GaveUp(description: "there is no \(name)") }
        return text
    }
}
