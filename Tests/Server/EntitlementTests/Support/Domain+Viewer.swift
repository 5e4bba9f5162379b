import Clientless
import Cryptography
@testable import Entitlement
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
        of code: RegistrationCodeText, requestor: RequestorID = Fixture.requestor, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> CodeStanding {
        try await self.codeStanding(of: code, requestor: requestor, by: .viewer, now: now)
    }

    func codeStandingInMemory(
        of code: RegistrationCodeText, requestor: RequestorID = Fixture.requestor, now: Timestamp = Fixture.now
    ) -> CodeStanding? {
        (try? self.codeStandingInMemory(of: code, requestor: requestor, by: .viewer, now: now)) ?? nil
    }
}

extension SignIns {
    func deviceStanding(of context: DeviceContext, now: Timestamp = Fixture.now) async throws(EntitlementError)
        -> DeviceStanding
    {
        try await self.deviceStanding(of: context, requestor: Fixture.requestor, now: now)
    }

    func deviceStandingInMemory(of context: DeviceContext, now: Timestamp = Fixture.now) -> DeviceStanding? {
        self.deviceStandingInMemory(of: context, requestor: Fixture.requestor, now: now)
    }
}

extension Decisions {
    func authorize(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID = Fixture.requestor,
        person: TrialIdentity? = nil, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> AuthZRecord {
        let signIn = try await self.signIns.signedIn(context, requestor, now: now)
        return try await self.authorize(resource, by: signIn, requestor: requestor, person: person, now: now)
    }

    func authorize(
        _ resource: Resource, by record: AuthNRecord, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> AuthZRecord {
        try await self.authorize(resource, by: record, requestor: Fixture.requestor, now: now)
    }

    func storedAuthorization(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID = Fixture.requestor,
        now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> AuthZRecord {
        let signIn = try await self.signIns.signedIn(context, requestor, now: now)
        return try await self.storedAuthorization(resource, of: signIn, requestor, now: now)
    }

    func preauthorize(
        _ resources: [Resource], context: DeviceContext, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> [Verdict] {
        try await self.preauthorize(resources, context: context, requestor: Fixture.requestor, now: now)
    }

    func preauthorize(
        _ resources: [Resource], by record: AuthNRecord, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> [Verdict] {
        try await self.preauthorize(resources, by: record, requestor: Fixture.requestor, now: now)
    }

    func mediaToken(
        _ resource: Resource, context: DeviceContext, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> IssuedMediaToken {
        let signIn = try await self.signIns.signedIn(context, Fixture.requestor, now: now)
        let permit = try await self.storedAuthorization(resource, of: signIn, Fixture.requestor, now: now)
        return try self.mediaToken(for: permit, of: signIn, now: now)
    }
}

extension Documents {
    func authorization(
        presenting document: String, device: DeviceID, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> (AuthZRecord, AuthNRecord) {
        try await self.authorization(presenting: document, device: device, requestor: Fixture.requestor, now: now)
    }
}

extension Boxes {
    func list(for own: AuthNRecord, now: Timestamp = Fixture.now) async throws(EntitlementError) -> BoxList {
        try await self.list(for: own, requestor: Fixture.requestor, now: now)
    }

    func signOut(_ handle: BoxHandle, for own: AuthNRecord) async throws(EntitlementError) -> Bool {
        try await self.signOut(handle, for: own, requestor: Fixture.requestor, now: Fixture.now)
    }
}

extension ViewerMetadata {
    func userMetadata(
        _ context: DeviceContext, requestor: RequestorID = Fixture.requestor, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> UserMetadata? {
        let signIn = try await self.signIns.signedIn(context, requestor, now: now)
        return try await self.userMetadata(of: signIn, requestor: requestor, now: now)
    }

    func userMetadata(of record: AuthNRecord, now: Timestamp = Fixture.now) async throws(EntitlementError)
        -> UserMetadata?
    {
        try await self.userMetadata(of: record, requestor: Fixture.requestor, now: now)
    }
}

extension Logins {
    func login(_ token: String, now: Timestamp = Fixture.now) async throws(EntitlementError) -> LoginView {
        try await self.login(token, browser: Fixture.browser, now: now)
    }

    func complete(
        _ token: String, response: ProviderResponse, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> LoginStep {
        try await self.complete(token, browser: Fixture.browser, response: response, by: .viewer, now: now)
    }

    func answer(
        _ token: String, with answer: ProviderCallback, from mvpd: MVPDID? = Fixture.provider,
        now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> CallbackOutcome {
        try await self.answer(token, browser: Fixture.browser, with: answer, from: mvpd, by: .viewer, now: now)
    }

    func begin(_ request: LoginRequest, now: Timestamp = Fixture.now) async throws(EntitlementError) -> LoginStart {
        try await self.begin(request, by: .viewer, now: now)
    }

    func confirm(
        _ token: String, browser: Browser = Fixture.browser, now: Timestamp = Fixture.now
    ) async throws(EntitlementError) -> LoginView {
        try await self.confirm(token, browser: browser, by: .viewer, now: now)
    }

    func decline(_ token: String, now: Timestamp = Fixture.now) async throws(EntitlementError) -> LoginView {
        try await self.decline(token, browser: Fixture.browser, now: now)
    }

    func decline(code: RegistrationCodeText, now: Timestamp = Fixture.now) async throws(EntitlementError) {
        try await self.decline(code: code, by: .viewer, now: now)
    }
}

/// Expects that `body` throws this error of the domain, and for this reason where one is named.
@discardableResult
func expectError<Result>(
    _ expected: EntitlementError.Code, _ denial: Denial? = nil, _ body: () async throws -> Result,
    sourceLocation: SourceLocation = #_sourceLocation
) async -> EntitlementError? {
    let error = await #expect(throws: EntitlementError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == expected, sourceLocation: sourceLocation)
    if let denial { #expect(error?.denial == denial, sourceLocation: sourceLocation) }
    return error
}
