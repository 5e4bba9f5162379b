package import Clientless
package import Entitlement

/// Records with every field filled, to be varied by the tests.
package enum Fixture {
    /// 2026-01-01T00:00:00Z.
    package static let now = Timestamp(milliseconds: 1_767_225_600_000)
    package static let northSport = requestor("NORTHSPORT")
    package static let southNews = requestor("SOUTHNEWS")
    package static let cableNova = mvpd("CableNova")
    package static let skyPeak = mvpd("SkyPeak")

    package static func requestor(_ text: String) -> RequestorID { checked(RequestorID(text)) }

    package static func mvpd(_ text: String) -> MVPDID { checked(MVPDID(text)) }

    package static func resource(_ text: String) -> Resource { checked(Resource(text)) }

    /// The code number `number`: seven letters and digits.
    package static func code(_ number: Int) -> RegistrationCodeText {
        let digits = String(number, radix: 10)
        return checked(RegistrationCodeText("K" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits))
    }

    package static func device(_ number: Int) -> DeviceHash {
        DeviceHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number &>> (8 * ($0 % 4)) &+ $0) })
    }

    package static func context(_ device: Int, appID: String? = nil, deviceUser: String? = nil) -> DeviceContext {
        DeviceContext(device: Self.device(device), appID: appID, deviceUser: deviceUser)
    }

    package static func authenticationID(_ number: Int) -> AuthNID {
        let digits = String(number, radix: 16)
        return AuthNID(text: String(repeating: "0", count: 32 - digits.count) + digits)
    }

    package static func record(
        _ code: RegistrationCodeText, device: Int = 1, appID: String? = nil, deviceUser: String? = nil,
        requestor: RequestorID = northSport, deviceID: String = "dev-000123", generated: Timestamp = now,
        lifetime: Duration = .seconds(1800), state: RegistrationCode.State = .waiting(refusal: nil)
    ) -> RegistrationRecord {
        RegistrationRecord(
            id: "0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55", code: code,
            request: CodeRequest(
                requestor: requestor, deviceID: checked(DeviceID(deviceID)),
                context: context(device, appID: appID, deviceUser: deviceUser), mvpd: cableNova,
                registrationURL: "https://tve.example.net/activate", deviceType: "settop", appVersion: "1.2.0",
                box: BoxDescription(
                    name: "Living room", model: "LX-200", software: "Player 4", userAgent: "hc/1.2",
                    deviceInformation: "eyJtb2RlbCI6IkxYLTIwMCJ9", address: "192.0.2.17"),
                application: ApplicationReference(id: "2c1d7f10", name: "Demo Player", version: "1.2.0"),
                credential: .application("2c1d7f10")),
            life: RegistrationCode(generated: generated, expires: generated + lifetime, state: state))
    }

    package static func record(
        _ number: Int, device: Int = 1, appID: String? = nil, deviceUser: String? = nil,
        requestor: RequestorID = northSport, deviceID: String = "dev-000123", generated: Timestamp = now,
        lifetime: Duration = .seconds(1800), state: RegistrationCode.State = .waiting(refusal: nil)
    ) -> RegistrationRecord {
        record(
            code(number), device: device, appID: appID, deviceUser: deviceUser, requestor: requestor,
            deviceID: deviceID, generated: generated, lifetime: lifetime, state: state)
    }

    package static func attempt(
        _ number: Int, code: RegistrationCodeText, created: Timestamp = now,
        origin: LoginAttempt.Origin = .secondScreen, progress: LoginAttempt.Progress = .atProvider
    ) -> LoginAttempt {
        LoginAttempt(
            id: AttemptID(bytes: device(number).bytes), code: code, requestor: northSport, mvpd: cableNova,
            origin: origin, browser: [1, 2, 3, 0, 255], created: created, progress: progress)
    }

    package static func authentication(
        _ number: Int, _ context: DeviceContext, requestor: RequestorID = northSport, isExclusive: Bool = false,
        mvpd: MVPDID = cableNova, code: RegistrationCodeText? = nil, origin: AuthNOrigin = .regular,
        created: Timestamp = now, lifetime: Duration = .seconds(30 * 24 * 3600)
    ) -> AuthNRecord {
        AuthNRecord(
            id: authenticationID(number), context: context, requestor: requestor, isExclusive: isExclusive, mvpd: mvpd,
            userID: "viewer-\(number)", code: code, origin: origin, credential: .keyPair("k\(number)"),
            created: created,
            expires: created + lifetime,
            sealedSession: [0, 1, 2, UInt8(truncatingIfNeeded: number)])
    }

    package static func authorization(
        _ authentication: AuthNRecord, _ resource: Resource, requestor: RequestorID = northSport,
        origin: AuthZOrigin = .provider, created: Timestamp = now
    ) -> AuthZRecord {
        AuthZRecord(
            authentication: authentication.id, device: authentication.context.device, requestor: requestor,
            resource: resource, mvpd: authentication.mvpd, origin: origin, created: created,
            expires: created + .seconds(24 * 3600))
    }

    package static func trial(
        _ number: Int, _ identities: [TrialIdentity], requestor: RequestorID = northSport, mvpd: MVPDID = cableNova,
        firstUse: Timestamp? = now, resources: [Resource] = []
    ) -> TrialRecord {
        TrialRecord(
            id: uuid(number), requestor: requestor, mvpd: mvpd, identities: identities,
            trial: Trial(firstUse: firstUse, resources: resources))
    }

    package static func rule(
        _ number: Int, _ kind: DegradationRule.Kind = .authzAll, requestor: RequestorID = northSport,
        mvpd: MVPDID? = cableNova, resources: [Resource] = [], activation: Timestamp = now,
        lifetime: Duration = .seconds(14_400)
    ) -> DegradationRule {
        DegradationRule(
            id: uuid(number), kind: kind, requestor: requestor, mvpd: mvpd, resources: resources,
            message: "Zurück um 5 – \(number)", activation: activation, ends: activation + lifetime)
    }

    private static func uuid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-\(String(repeating: "0", count: max(0, 12 - digits.count)))\(digits)"
    }

    package static func audit(_ number: Int, time: Timestamp = now) -> AuditEntry {
        AuditEntry(time: time, actor: "operator-\(number)", action: "test.change", subject: "subject \(number)")
    }

    private static func checked<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("a fixture does not have the form of its type") }
        return value
    }
}

extension RegistrationRecord {
    /// The record as a store keeps it once the code is over.
    package func withoutRawData() -> RegistrationRecord {
        let digits = Array("0123456789abcdef")
        let hash = String(self.context.device.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        return RegistrationRecord(
            id: self.id, code: self.code,
            request: CodeRequest(
                requestor: self.requestor, deviceID: DeviceID(hash) ?? self.request.deviceID, context: self.context,
                mvpd: self.mvpd, registrationURL: self.request.registrationURL, deviceType: self.request.deviceType,
                appVersion: self.request.appVersion,
                box: BoxDescription(
                    name: self.box.name, model: self.box.model, software: self.box.software, userAgent: nil,
                    deviceInformation: nil, address: ""),
                application: self.request.application, credential: self.request.credential),
            life: self.life, version: self.version)
    }
}
