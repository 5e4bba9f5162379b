import Clientless
import Cryptography
import Entitlement
import Testing

extension Guesser {
    /// A viewer of the household that most tests are about.
    static let viewer = Guesser(.v4(0xC633_6401))
    /// The box of that household.
    static let box = Guesser(.v4(0xC000_020A))
}

// The calls as the one viewer makes them at the one requestor, for tests that are about something else.
extension Codes {
    func codeStanding(
        of code: RegistrationCodeText, requestor: RequestorID = PairingFixture.requestor, now: Timestamp
    ) async throws(EntitlementError) -> CodeStanding {
        try await self.codeStanding(of: code, requestor: requestor, by: .viewer, now: now)
    }

    func codeStandingInMemory(
        of code: RegistrationCodeText, requestor: RequestorID = PairingFixture.requestor, now: Timestamp
    ) -> CodeStanding? {
        (try? self.codeStandingInMemory(of: code, requestor: requestor, by: .viewer, now: now)) ?? nil
    }
}

extension SignIns {
    func deviceStanding(of context: DeviceContext, now: Timestamp) async throws(EntitlementError) -> DeviceStanding {
        try await self.deviceStanding(of: context, requestor: PairingFixture.requestor, now: now)
    }

    func deviceStandingInMemory(of context: DeviceContext, now: Timestamp) -> DeviceStanding? {
        self.deviceStandingInMemory(of: context, requestor: PairingFixture.requestor, now: now)
    }
}

extension Decisions {
    func authorize(
        _ resource: Resource, context: DeviceContext, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        try await self.authorize(resource, context: context, requestor: PairingFixture.requestor, now: now)
    }

    func authorize(
        _ resource: Resource, by record: AuthNRecord, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        try await self.authorize(resource, by: record, requestor: PairingFixture.requestor, now: now)
    }

    func storedAuthorization(
        _ resource: Resource, context: DeviceContext, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        try await self.storedAuthorization(resource, context: context, requestor: PairingFixture.requestor, now: now)
    }

    func preauthorize(
        _ resources: [Resource], context: DeviceContext, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        try await self.preauthorize(resources, context: context, requestor: PairingFixture.requestor, now: now)
    }

    func preauthorize(
        _ resources: [Resource], by record: AuthNRecord, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        try await self.preauthorize(resources, by: record, requestor: PairingFixture.requestor, now: now)
    }

    func mediaToken(
        _ resource: Resource, context: DeviceContext, now: Timestamp
    ) async throws(EntitlementError) -> IssuedMediaToken {
        try await self.mediaToken(resource, context: context, requestor: PairingFixture.requestor, now: now)
    }
}

extension ViewerMetadata {
    func userMetadata(_ context: DeviceContext, now: Timestamp) async throws(EntitlementError) -> UserMetadata? {
        try await self.userMetadata(context, requestor: PairingFixture.requestor, now: now)
    }

    func userMetadata(of record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> UserMetadata? {
        try await self.userMetadata(of: record, requestor: PairingFixture.requestor, now: now)
    }
}

extension Logins {
    func begin(_ request: LoginRequest, now: Timestamp) async throws(EntitlementError) -> LoginStart {
        try await self.begin(request, by: .viewer, now: now)
    }

    func confirm(
        _ token: String, browser: Secret = PairingFixture.browser, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        try await self.confirm(token, browser: browser, by: .viewer, now: now)
    }

    func decline(_ token: String, now: Timestamp) async throws(EntitlementError) -> LoginView {
        try await self.decline(token, browser: PairingFixture.browser, now: now)
    }

    func decline(code: RegistrationCodeText, now: Timestamp) async throws(EntitlementError) {
        try await self.decline(code: code, by: .viewer, now: now)
    }
}

/// Expects that `body` throws this error of the domain, and for this reason where one is named.
func expectError<Result>(
    _ expected: EntitlementError.Code, _ denial: Denial? = nil, _ body: () async throws -> Result,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
        let error = error as? EntitlementError
        #expect(error?.code == expected, sourceLocation: sourceLocation)
        if let denial { #expect(error?.denial == denial, sourceLocation: sourceLocation) }
    }
}
