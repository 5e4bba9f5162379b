import Clientless
import Cryptography
import Entitlement
import HTTPServer
import Lending
import Observability
import ServerAPI
import Stores
import TestSupport
import Testing

/// The pages over the real domain on a real store, behind the real router; only the socket is missing.
final class ScreenFixture: Sendable {
    @TaskLocal static var current: ScreenFixture?

    static let start = Timestamp(milliseconds: 1_767_277_920_000)  // 2026-01-01T14:32:00Z
    static let brand = RequestorID("NORTHSTAR")!
    static let strangeBrand = RequestorID("SOUTHSTAR")!
    static let cedar = MVPDID("CedarCable")!
    static let harbor = MVPDID("HarborFiber")!
    /// A trial for a person, whom these pages cannot name.
    static let promotion = MVPDID("PromoHour")!
    /// A trial that needs no account.
    static let preview = MVPDID("FreePreview")!
    static let boxAddress = "192.0.2.10"

    let store: any EmbeddedStore
    let domain: Entitlements
    let settings: APISettings
    let faces: Faces
    let router: Router
    private let clock: TestClock
    private let told: Notes<AddedBox>

    struct Setting {
        var limits = Entitlements.Limits()
        var isSecure = false
        var harbor: any Provider = PasswordProvider()
        var authenticationLifetime: Duration = .seconds(30 * 86_400)
        var moreProviders: [MVPD] = []
        var regions: [Region] = []
        var looks: [MVPDID: ProviderLook] = [:]
        var takesReadOutCodes = false
        var branding: (inout APISettings) throws -> Void = { _ in }
    }

    static func with(_ setting: Setting = Setting(), _ body: (ScreenFixture) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(folder.file("store.sqlite"))
        try await ending({ await store.close() }) { try await body(ScreenFixture(store, setting)) }
    }

    private init(_ store: any EmbeddedStore, _ setting: Setting) throws {
        self.store = store
        let offered = [Self.cedar, Self.harbor, Self.promotion, Self.preview] + setting.moreProviders.map(\.id)
        let integrations = offered.map {
            Integration(
                mvpd: $0, authenticationLifetime: setting.authenticationLifetime,
                look: setting.looks[$0] ?? ProviderLook())
        }
        var brand = Requestor(id: Self.brand, name: "Northstar TV", integrations: integrations, strictness: .strict)
        brand.takesReadOutCodes = setting.takesReadOutCodes
        let catalogue = Catalogue(
            requestors: [
                brand,
                Requestor(
                    id: Self.strangeBrand, name: "<b>South & Star</b>", integrations: Array(integrations[1...2]),
                    strictness: .compatible, confirmsForeignLogins: false),
            ],
            mvpds: [
                MVPD(id: Self.cedar, displayName: "Cedar Cable", logoURL: "https://cdn.example/cedar.png"),
                MVPD(id: Self.harbor, displayName: "Harbor Fiber"),
                MVPD(
                    id: Self.promotion, displayName: "Promo Hour",
                    trial: TrialRules(lifetime: .seconds(3600), identityKey: "email")),
                MVPD(id: Self.preview, displayName: "Free preview", trial: TrialRules(lifetime: .seconds(600))),
            ] + setting.moreProviders, regions: setting.regions)
        let clock = TestClock(at: Self.start)
        let told = Notes<AddedBox>()
        self.domain = Entitlements(
            ConfiguredCatalogue(
                catalogue,
                providers: Dictionary(
                    uniqueKeysWithValues: ([Self.cedar, Self.harbor] + setting.moreProviders.map(\.id)).map { id in
                        (id, id == Self.harbor ? setting.harbor : PasswordProvider())
                    })),
            store: store,
            keys: try ServerKeys(masterSecret: Secret(Array(repeating: 7, count: ServerKeys.masterSecretSize))),
            documents: TokenDocumentSigner(signingWith: try ECPrivateKey.generate()),
            uptime: { .milliseconds(clock.now.milliseconds) }, onBoxAdded: { told.add($0) }, limits: setting.limits)
        let issuer = setting.isSecure ? "https://tve.example.net" : "http://tve.example.net"
        var settings = APISettings(publicURL: issuer)
        try setting.branding(&settings)
        self.settings = settings
        self.faces = try Faces(
            Faces.Parts(
                domain: self.domain, settings: settings,
                accessTokens: AccessTokens(signingKey: try ECPrivateKey.generate(), issuer: issuer),
                statementKeys: { [] }, mediaTokenKeys: { "" },
                isStopping: { false }, metrics: Metrics(), logger: .silent, now: { clock.now }))
        self.router = self.faces.router()
        self.clock = clock
        self.told = told
    }

    var addedBoxes: [AddedBox] { self.told.all }

    var now: Timestamp { self.clock.now }

    func advance(by duration: Duration) { self.clock.advance(by: duration) }

    func code(
        _ box: BoxDescription = ScreenFixture.box(), requestor: RequestorID = ScreenFixture.brand,
        mvpd: MVPDID? = nil, lifetime: Duration = .seconds(1800), device name: String = "box",
        credential: BoxCredential? = nil
    ) async throws -> RegistrationCodeText {
        let device = DeviceID(name)!
        let record = try await self.domain.codes.createCode(
            CodeRequest(
                requestor: requestor, deviceID: device,
                context: self.domain.signIns.context(device, appID: nil, deviceUser: nil), mvpd: mvpd,
                registrationURL: nil, deviceType: nil, appVersion: nil, box: box, application: nil,
                credential: credential),
            for: lifetime, by: Guesser(.v4(0xC000_0201)), credential: nil, now: self.now)
        return record.code
    }

    static func box(
        name: String? = "Living room", model: String? = "NS-BOX-2", software: String? = "Latchkey 1.0",
        address: String = ScreenFixture.boxAddress
    ) -> BoxDescription {
        BoxDescription(
            name: name, model: model, software: software, userAgent: nil, deviceInformation: nil, address: address)
    }

    /// What the box is told when it asks for its code.
    func standing(
        of code: RegistrationCodeText, requestor: RequestorID = ScreenFixture.brand
    ) async throws -> CodeStanding {
        try await self.domain.codes.codeStanding(
            of: code, requestor: requestor, by: Guesser(.v4(0xC000_0201)), now: self.now)
    }

    func isSignedIn(_ code: RegistrationCodeText, requestor: RequestorID = ScreenFixture.brand) async throws -> Bool {
        if case .signedIn = try await self.standing(of: code, requestor: requestor) { true } else { false }
    }

    func isDeclined(_ code: RegistrationCodeText) async throws -> Bool {
        if case .declined = try await self.standing(of: code) { true } else { false }
    }
}

/// Lets everyone in whose password is `right`; `silent` is refused without a sentence, `nobody` with one for boxes,
/// `down` does not answer.
private struct PasswordProvider: Provider {
    var isRemote: Bool { true }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        (.signInPage, .empty)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let account, let password):
            if account == "down" { throw ProviderError(detail: "the line is dead") }
            if account == "silent" { return .refused(reason: nil) }
            if account == "nobody" { return .refused(ProviderRefusal(.wrongCredentials, "A sentence for boxes.")) }
            guard password.withBytes({ $0 == Array("right".utf8) })
            else { return .refused(reason: "Not with this password, <b>friend</b>.") }
            return .accepted(ProviderLogin(upstreamUserID: account, session: ProviderSession(account: account)))
        case .callback: throw ProviderError(.unproven, detail: "not asked to come back")
        }
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        ProviderAnswer(resources.map { _ in .permit })
    }

    /// By the account: `all`, `nothing`, `many`; of any other it says nothing.
    func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]? {
        switch session.account {
        case "all": ["*"]
        case "nothing": []
        case "many": ["<rss>x</rss>", "News <1>"] + (1...30).map { "Channel \($0)" }
        case "few": ["North & South", "Sport 1"]
        default: nil
        }
    }
}

var fixture: ScreenFixture { ScreenFixture.$current.lent() }

extension Trait where Self == Lending<ScreenFixture> {
    static func fixture(_ setting: @autoclosure @escaping @Sendable () -> ScreenFixture.Setting) -> Self {
        Lending(ScreenFixture.$current) { try await ScreenFixture.with(setting(), $0) }
    }

    static var fixture: Self { .fixture(.init()) }
}
