import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import StoreSQLite

/// A pairing service on a real store in a folder of its own, with providers that answer as the test says.
struct PairingFixture {
    static let start = Timestamp(milliseconds: 1_767_225_600_000)
    static let requestor = RequestorID("NORTHSPORT")!
    static let sibling = RequestorID("SOUTHSPORT")!
    static let provider = MVPDID("CableNova")!
    static let otherProvider = MVPDID("DishNova")!
    static let perRequestorProvider = MVPDID("SoloNova")!
    static let browser = Secret("a browser session")
    static let signingKey = Result { try RSAPrivateKey.generate() }
    static let masterSecret = Secret(Array(repeating: 7, count: ServerKeys.masterSecretSize))

    let folder: String
    let store: SQLiteStore
    let pairing: Pairing

    static func with<Result>(
        limits: Pairing.Limits = Pairing.Limits(), silent: Bool = false,
        _ body: (PairingFixture) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-pairing-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(folder + "/store.sqlite")
        let fixture = PairingFixture(
            folder: folder, store: store, pairing: try self.pairing(on: store, limits: limits, silent: silent))
        try await fixture.pairing.start(now: self.start)
        let result = try await body(fixture)
        await store.close()
        return result
    }

    /// Another service on the same store, as a second node would be.
    static func pairing(
        on store: any Store, limits: Pairing.Limits = Pairing.Limits(), silent: Bool = false
    ) throws -> Pairing {
        let integrations = [
            Integration(mvpd: provider), Integration(mvpd: otherProvider),
            Integration(mvpd: perRequestorProvider, authPerAggregator: true),
        ]
        let catalogue = Catalogue(
            requestors: [
                Requestor(id: requestor, name: "North Sport", integrations: integrations, strictness: .compatible),
                Requestor(id: sibling, name: "South Sport", integrations: integrations, strictness: .strict),
            ],
            mvpds: [provider, otherProvider, perRequestorProvider].map {
                MVPD(id: $0, displayName: $0.text, kind: .local)
            })
        let providers = Dictionary(
            uniqueKeysWithValues: catalogue.mvpds.map { ($0.id, ScriptedProvider(isSilent: silent) as any Provider) })
        return Pairing(
            catalogue: catalogue, store: store, providers: providers, keys: try ServerKeys(masterSecret: masterSecret),
            documents: TokenDocumentSigner(signingWith: try self.signingKey.get()), limits: limits)
    }

    func device(_ name: String, appID: String? = nil) -> DeviceContext {
        self.pairing.context(DeviceID(name)!, appID: appID, deviceUser: nil)
    }

    func code(
        for device: String = "box", requestor: RequestorID = PairingFixture.requestor,
        lifetime: Duration = .seconds(1800),
        now: Timestamp = PairingFixture.start
    ) async throws -> RegistrationCodeText {
        let record = try await self.pairing.createCode(
            CodeRequest(
                requestor: requestor, deviceID: DeviceID(device)!, context: self.device(device), mvpd: nil,
                lifetime: lifetime, registrationURL: nil, deviceType: nil, appVersion: nil,
                box: BoxDescription(
                    name: "Living room", model: "HC-100", software: nil, userAgent: nil, deviceInformation: nil,
                    address: "192.0.2.10"),
                application: nil), now: now)
        return record.code
    }

    /// A login up to the provider's yes.
    func acceptedLogin(
        _ code: RegistrationCodeText, account: String = "ada", mvpd: MVPDID = PairingFixture.provider,
        browser: Secret = PairingFixture.browser, now: Timestamp = PairingFixture.start
    ) async throws -> String {
        let start = try await self.pairing.beginLogin(
            LoginRequest(code: code, requestor: nil, mvpd: mvpd, origin: .secondScreen, browser: browser), now: now)
        _ = try await self.signIn(start.token, account: account, browser: browser, now: now)
        return start.token
    }

    func signIn(
        _ token: String, account: String, password: String = "right", browser: Secret = PairingFixture.browser,
        now: Timestamp = PairingFixture.start
    ) async throws -> LoginStep {
        try await self.pairing.completeLogin(
            token, browser: browser, response: .password(account: account, password: Secret(password)),
            address: "198.51.100.1", now: now)
    }

    /// A whole pairing.
    func signedIn(
        device: String = "box", requestor: RequestorID = PairingFixture.requestor, account: String = "ada",
        mvpd: MVPDID = PairingFixture.provider, now: Timestamp = PairingFixture.start
    ) async throws -> RegistrationCodeText {
        let code = try await self.code(for: device, requestor: requestor, now: now)
        let token = try await self.acceptedLogin(code, account: account, mvpd: mvpd, now: now)
        _ = try await self.pairing.confirm(token, browser: Self.browser, now: now)
        return code
    }
}

/// A provider whose accounts may play `<account> TV`; the password is `right`.
private struct ScriptedProvider: Provider {
    let isSilent: Bool

    func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover { .signInPage }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let account, let password):
            guard password.withBytes({ $0 == Array("right".utf8) }) else { return .refused(reason: "Not quite.") }
            return .accepted(
                ProviderLogin(upstreamUserID: "upstream-\(account)", session: ProviderSession(account: account)))
        }
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision] {
        if self.isSilent {
            // Heeds nothing but cancellation, as a hanging connection would.
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                throw ProviderError(detail: "cancelled")
            }
        }
        return resources.map {
            $0.text == "\(session.account) TV" ? .permit : .deny(reason: "\($0.text) is not in your package.")
        }
    }
}
