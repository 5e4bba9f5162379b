import Clientless
import Cryptography
import Entitlement

extension Fixture {
    func code(
        for device: String = "box", requestor: RequestorID = Fixture.requestor,
        lifetime: Duration = .seconds(1800), credential: BoxCredential? = nil, now: Timestamp = Fixture.now
    ) async throws -> RegistrationCodeText {
        let record = try await self.domain.codes.createCode(
            CodeRequest(
                requestor: requestor, deviceID: DeviceID(device)!, context: self.device(device), mvpd: nil,
                registrationURL: nil, deviceType: nil, appVersion: nil,
                box: BoxDescription(
                    name: "Living room", model: "HC-100", software: nil, userAgent: nil, deviceInformation: nil,
                    address: "192.0.2.10"),
                application: nil, credential: credential), for: lifetime, by: .box, credential: nil, now: now)
        return record.code
    }

    static func request(
        _ code: RegistrationCodeText, requestor: RequestorID? = nil, mvpd: MVPDID = Fixture.provider,
        origin: LoginAttempt.Origin = .secondScreen, browser: Browser = Fixture.browser, person: TrialIdentity? = nil
    ) -> LoginRequest {
        LoginRequest(
            code: code, requestor: requestor, mvpd: mvpd, origin: origin, browser: browser, callback: self.callback,
            person: person)
    }

    /// A login up to where the provider's page would come.
    func begun(
        _ code: RegistrationCodeText, mvpd: MVPDID = Fixture.provider,
        origin: LoginAttempt.Origin = .secondScreen, browser: Browser = Fixture.browser,
        person: TrialIdentity? = nil, now: Timestamp = Fixture.now
    ) async throws -> LoginStart {
        try await self.domain.logins.begin(
            Self.request(code, mvpd: mvpd, origin: origin, browser: browser, person: person), now: now)
    }

    /// A login up to the provider's yes.
    func acceptedLogin(
        _ code: RegistrationCodeText, account: String = "ada", mvpd: MVPDID = Fixture.provider,
        browser: Browser = Fixture.browser, now: Timestamp = Fixture.now
    ) async throws -> String {
        let start = try await self.begun(code, mvpd: mvpd, browser: browser, now: now)
        _ = try await self.signIn(start.token, account: account, browser: browser, now: now)
        return start.token
    }

    func signIn(
        _ token: String, account: String, password: String = "right", browser: Browser = Fixture.browser,
        by guesser: Guesser = .viewer, now: Timestamp = Fixture.now
    ) async throws -> LoginStep {
        try await self.domain.logins.complete(
            token, browser: browser, response: .password(account: account, password: Secret(password)),
            by: guesser, now: now)
    }

    @discardableResult
    func signedIn(
        device: String = "box", requestor: RequestorID = Fixture.requestor, account: String = "ada",
        mvpd: MVPDID = Fixture.provider, credential: BoxCredential? = nil,
        now: Timestamp = Fixture.now
    ) async throws -> RegistrationCodeText {
        let code = try await self.code(for: device, requestor: requestor, credential: credential, now: now)
        let token = try await self.acceptedLogin(code, account: account, mvpd: mvpd, now: now)
        _ = try await self.domain.logins.confirm(token, browser: Self.browser, now: now)
        return code
    }

    /// A whole pairing, of which this is the sign-in.
    func newSignIn(
        device: String = "box", requestor: RequestorID = Fixture.requestor, account: String = "ada",
        mvpd: MVPDID = Fixture.provider, now: Timestamp = Fixture.now
    ) async throws -> AuthNRecord {
        try await self.signedIn(device: device, requestor: requestor, account: account, mvpd: mvpd, now: now)
        return try await self.record(of: device, requestor: requestor, now: now)
    }

    /// A whole pairing under a rule that skips the login of `provider`.
    func skippedLogin(device: String = "box", now: Timestamp = Fixture.now) async throws -> AuthNRecord {
        let start = try await self.begun(try await self.code(for: device, now: now), now: now)
        _ = try await self.domain.logins.confirm(start.token, browser: Self.browser, now: now)
        return try await self.record(of: device, now: now)
    }

    /// Puts a rule in force for a day.
    @discardableResult
    func addRule(
        _ kind: DegradationRule.Kind, requestor: RequestorID = Fixture.requestor,
        mvpd: MVPDID? = Fixture.provider, resources: [String] = [], message: String = "",
        now: Timestamp = Fixture.now
    ) async throws -> DegradationRule {
        do throws(DegradationRuleFault) {
            return try await self.domain.degradations.add(
                kind, requestor: requestor, mvpds: [mvpd], resources: resources.compactMap { Resource($0) },
                message: message, lifetime: .seconds(24 * 3600), actor: "test", now: now)[0]
        } catch {
            guard case .domain(let error) = error else { throw error }
            throw error
        }
    }

    func endRule(_ kind: DegradationRule.Kind, now: Timestamp) async throws {
        _ = try await self.domain.degradations.end(
            kind, requestor: Self.requestor, mvpd: Self.provider, resource: nil, actor: "test", now: now)
    }
}
