import AccessEnabler
import Clientless
import FoundationEssentials
import Lending
import TestSupport
import Testing

/// A box whose account the test plays, and an application on it.
///
/// Providers: `CableNova` and `SatOne` sign in at the platform, `TerraNet` is only listed there, `OldCable` takes no
/// part.
struct PlatformStage: Sendable {
    @TaskLocal static var current: PlatformStage?

    static let providers = [
        ScriptedProvider.platform("CableNova"), .platform("SatOne"), .platform("TerraNet", "PICKER"),
        ScriptedProvider("OldCable"),
    ]
    /// The codes that say why the platform was left (access-enabler 10.6, step 4).
    static let reasons: Set<String> = ["VSA403", "VSA404", "VSA503", "N003", "N004", "N005"]
    static let exchange = "/adobe-services/platform"

    let service: ScriptedService
    let box: TestBox
    let platform: PlatformSpy
    let store: SpiedStore
    let application: TestApplication

    var account: AccessEnabler.MemoryPlatformSSO { self.platform.account }
    var recorder: Recorder { self.application.recorder }
    var enabler: AccessEnabler { self.application.enabler }

    /// An application that has not named a requestor.
    /// - Parameters:
    ///   - provider: the box is signed in there, by the requestor's name for it.
    ///   - profile: the account's answer to profile requests, of the provider's platform ID.
    ///   - hidesProvider: the account does not name its provider.
    ///   - profileFailure: what profile requests fail with.
    init(
        access: AccessEnabler.PlatformAccess = .granted, answerToPrompt: AccessEnabler.PlatformAccess = .granted,
        provider: String? = nil,
        expires: Duration? = nil, hidesProvider: Bool = false, profileFailure: PlatformSSOFailure? = nil,
        behaviour: @Sendable (inout ScriptedService.Behaviour) -> Void = { _ in },
        profile: @escaping @Sendable (String) -> String? = { "<Response of=\"\($0)\"/>" },
        configuring: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) throws {
        self.service = try ScriptedService { chosen in
            chosen.providers = Self.providers
            behaviour(&chosen)
        }
        self.box = try TestBox()
        var catalogue: [String: MVPD] = [:]
        for provider in Self.providers + [ScriptedProvider("Elsewhere")] {
            catalogue[Self.platformID(provider.id)] = MVPD(id: provider.id, displayName: provider.name)
        }
        let clock = self.box.clock
        let account = AccessEnabler.MemoryPlatformSSO(
            access: access, answerToPrompt: answerToPrompt, provider: provider.map(Self.platformID),
            expires: expires.map { Self.date(clock.now + $0) }, catalogue: catalogue,
            pickerOnly: [Self.platformID("TerraNet")], now: { Self.date(clock.now) }
        ) { provider, _ in profile(provider) }
        let platform = PlatformSpy(account, hidesProvider: hidesProvider, profileFailure: profileFailure)
        self.platform = platform
        let store = SpiedStore(AccessEnabler.PrivateFileStore(path: self.box.storePath))
        self.store = store
        self.application = try self.box.start(self.service) { configuration in
            configuration.platformSSO = platform
            configuration.tokenStore = store
            configuring(&configuration)
        }
    }

    static func platformID(_ id: String) -> String { "platform-\(id)" }

    private static func date(_ moment: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }

    /// Names the requestor, and returns the stage.
    @discardableResult
    func configured() async throws -> PlatformStage {
        try await self.enabler.configure(requestorID: TestBox.requestor)
        return self
    }

    func dialog(_ filter: AccessEnabler.ProviderFilter? = nil) async throws -> TvProviderDialogRequest {
        let known = self.recorder.dialogs.count
        if let filter {
            self.enabler.getAuthentication(filter: filter)
        } else {
            self.enabler.getAuthentication()
        }
        await self.recorder.wait(for: "presentTvProviderDialog", count: known + 1)
        return try #require(self.recorder.dialogs.last)
    }

    func codesUntilPicker() async -> [String] {
        let known = self.recorder.codes.count
        self.enabler.getAuthentication()
        await self.recorder.wait(for: "displayProviderDialog")
        return Array(self.recorder.codes.dropFirst(known))
    }

    func check() async -> (outcome: AccessEnabler.AuthenticationOutcome, codes: [String]) {
        let known = self.recorder.codes.count
        let outcome = await self.enabler.authenticationStatus()
        return (outcome, Array(self.recorder.codes.dropFirst(known)))
    }

    /// How many profiles were handed to the server.
    var exchanges: Int { self.service.count(of: Self.exchange) }

    func end() async { await self.enabler.shutDown() }

    static let failure = PlatformSSOFailure.service(message: "The keeper is away.", details: "socket closed")
}

var stage: PlatformStage { PlatformStage.$current.lent() }

extension Trait where Self == Lending<PlatformStage> {
    static var stage: Self { .stage() }

    /// Stands behind `.box`, with which its application ends.
    /// - Parameter provider: the box is signed in there.
    static func stage(provider: String? = nil) -> Self {
        Lending(PlatformStage.$current) { try await $0(PlatformStage(provider: provider).configured()) }
    }
}
