import Clientless
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

/// What has happened to the device `box-1` before it asks.
enum StatusCondition: String, Sendable {
    case fresh
    /// It has a code that nobody has used.
    case code
    /// Somebody is signing in with it.
    case login
    /// The viewer said that it is not theirs.
    case declined
    case signedIn
    case signInExpired
    case authorized
    case authorizationExpired
    /// Signed in, and the provider does not answer.
    case providerDown
    /// Signed in, and a rule of the programmer refuses everything.
    case refusedByProgrammer
    /// Signed in at a provider that says something of its viewer.
    case knownViewer
    case trial
    case trialOver
    /// A rule skips the provider's login.
    case loginSkipped
    case storeGone

    /// Brings a server there.
    /// - Returns: the device's code; one that nobody has, where it needs none.
    func prepare() async throws -> String {
        switch self {
        case .fresh: break
        case .code: return try await wire.code(more: "&ttl=36000")
        case .login:
            let code = try await wire.code()
            _ = try await wire.beginLogin(code)
            return code
        case .declined:
            let code = try await wire.code()
            let (token, browser) = try await wire.beginLogin(code)
            _ = try await wire.domain.logins.decline(token, browser: browser, now: wire.clock.now)
            return code
        case .signedIn: return try await wire.signedInDevice()
        case .signInExpired:
            let code = try await wire.code(more: "&ttl=36000")
            try await wire.signIn(code)
            let end = wire.domain.catalogue.integration(WireFixture.requestor, WireFixture.provider)
            wire.clock.advance(by: try #require(end).authenticationLifetime)
            return code
        case .authorized: return try await self.authorized()
        case .authorizationExpired:
            let code = try await self.authorized()
            wire.clock.advance(by: .seconds(24 * 3600))
            return code
        case .providerDown:
            let code = try await wire.signedInDevice()
            wire.provider.setDown(true)
            return code
        case .refusedByProgrammer:
            let code = try await wire.signedInDevice()
            try await wire.add(.authzNone, WireFixture.requestor, message: "Off \"air\" & <dark>.")
            return code
        case .knownViewer:
            wire.provider.setMetadata(WireFixture.viewer)
            return try await wire.signedInDevice()
        case .trial: try await self.startTrial()
        case .trialOver:
            try await self.startTrial()
            try await wire.authorize("North Sport HD", for: WireFixture.full)
            wire.clock.advance(by: .seconds(3600))
            try await self.startTrial()
        case .loginSkipped:
            try await wire.add(.authnAll, WireFixture.requestor, message: "")
            return try await wire.code()
        case .storeGone:
            await wire.store.close()
        }
        return "BCDFGHJ"
    }

    private func authorized() async throws -> String {
        let code = try await wire.signedInDevice()
        try await wire.authorize("North Sport HD", for: WireFixture.requestor)
        return code
    }

    private func startTrial() async throws {
        try await wire.signed(
            .post, "/api/v1/authenticate/freepreview",
            body: "deviceId=box-1&requestor_id=FULLSPORT&mso_id=FreeHour&domain_name=full-sport.example"
        ).expect(204)
    }
}

extension WireFixture {
    static let viewer: [String: MetadataValue] = [
        "zip": .list(["12345", "34567"]), "householdID": .text("H-3456"),
        "maxRating": .map([
            NamedText("MPAA", "PG-13"), NamedText("VCHIP", "TV-14"),
        ]),
    ]

    /// Puts a rule in force for an hour.
    func add(_ kind: DegradationRule.Kind, _ requestor: RequestorID, message: String) async throws {
        _ = try await self.domain.degradations.add(
            kind, requestor: requestor, mvpds: [nil], message: message, lifetime: .seconds(3600), actor: "test",
            now: self.clock.now)
    }

    /// Authorizes `box-1`.
    func authorize(_ resource: String, for requestor: RequestorID) async throws {
        let resource = resource.replacing(" ", with: "%20")
        try await self.signed(
            .get, "/api/v1/authorize?deviceId=box-1&requestor=\(requestor)&resource=\(resource)"
        ).expect(200)
    }
}
