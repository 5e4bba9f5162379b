import Clientless
import Cryptography
import HTTPClient
import TextCoding

/// The operations of one server that the library needs (access-enabler 17), over the SDK services, and over REST v1 for what
/// those leave to it (sdk-services, rest-v1).
///
/// Each throws ``EntitlementError``: `unauthorized` and `unknownClient` ask the caller to renew and repeat.
final class ServiceBackend: Sendable {
    let wire: Wire

    init(
        _ server: ServiceProviderURL, transport: any AccessEnabler.Transport, clock: any BoxClock,
        randomness: any Randomness,
        pauses: [Duration], noteOffset: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.wire = Wire(
            base: server.text, transport: transport, clock: ServerClock(clock, noteOffset: noteOffset),
            randomness: randomness, pauses: pauses)
    }

    /// The time by the server's clock, as far as it is known.
    var now: Timestamp { self.wire.clock.now }
    /// How far the box's clock is behind the server's; zero while it is less than a minute.
    var clockOffset: Duration { self.wire.clock.offset }

    // MARK: Registration (rest-v1 10)

    func registerClient(
        softwareStatement: Secret, as caller: BackendCaller
    ) async throws(EntitlementError) -> ClientCredentials {
        let statement = softwareStatement.withBytes { String(decoding: $0, as: UTF8.self) }
        let body = JSONValue.object([.init("software_statement", .string(statement))]).text
        let answer = try await self.wire.send(.post, "/o/client/register", body: .json(body), as: caller, creates: true)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        let client: RegisteredClient = try answer.decoded()
        guard !client.id.isEmpty, !client.secret.isEmpty else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        return ClientCredentials(id: client.id, secret: Secret(client.secret))
    }

    func accessToken(
        for client: ClientCredentials, as caller: BackendCaller
    ) async throws(EntitlementError) -> AccessToken {
        let secret = client.secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let answer = try await self.wire.send(
            .post, "/o/client/token",
            body: .form([
                ("grant_type", "client_credentials"), ("client_id", client.id), ("client_secret", secret),
            ]),
            as: caller)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        let token: IssuedToken = try answer.decoded()
        guard !token.text.isEmpty, (1...31_536_000).contains(token.seconds) else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        // A tenth of its life early, at most five minutes: no box is refused in the middle of a pairing.
        let early = min(300, token.seconds / 10)
        return AccessToken(text: Secret(token.text), renewAt: self.now + .seconds(token.seconds - early))
    }

    func configuration(as caller: BackendCaller) async throws(EntitlementError) -> ServiceConfiguration {
        let answer = try await self.wire.send(
            .get, "/api/v1/config/\(PercentCoding.encoded(caller.requestor.text))", as: caller, timeout: .seconds(10))
        guard answer.status == 200 else { throw answer.error }
        return try answer.decoded()
    }

    // MARK: Codes (rest-v1 11, sdk-services 3)

    func registrationCode(_ wish: CodeWish, as caller: BackendCaller) async throws(EntitlementError)
        -> AccessEnabler.RegistrationCode
    {
        var form = [("deviceId", caller.deviceID.text)]
        if let mvpdID = wish.mvpdID { form.append(("mvpd", mvpdID)) }
        if let lifetime = wish.lifetime { form.append(("ttl", String(lifetime.components.seconds))) }
        if let activationURL = wish.activationURL { form.append(("registrationURL", activationURL)) }
        if let data = genericData(wish.data) { form.append(("generic_data", data)) }
        let answer = try await self.wire.send(
            .post, "/reggie/v1/\(caller.requestor)/regcode", body: .form(form), as: caller, creates: true)
        guard answer.status == 201 || answer.status == 200 else { throw answer.error }
        let record: CodeRecord = try answer.decoded()
        guard let code = RegistrationCodeText(record.code) else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        return AccessEnabler.RegistrationCode(
            code: code, loginURL: (record.info?.registrationURL ?? wish.activationURL).flatMap { webAddress($0) },
            shortURL: answer.headers["latchkey-short-url"].flatMap { shortAddress($0, of: code) },
            expires: Timestamp(milliseconds: record.expires.milliseconds), mvpdID: record.mvpd ?? wish.mvpdID,
            at: self.now)
    }

    func deleteRegistrationCode(_ code: String, as caller: BackendCaller) async throws(EntitlementError) {
        let answer = try await self.wire.send(
            .delete, "/reggie/v1/\(caller.requestor)/regcode/\(PercentCoding.encoded(code))",
            query: [("deviceId", caller.deviceID.text)], as: caller)
        guard answer.status == 204 || answer.status == 404 else { throw answer.error }
    }

    /// Asks whether a viewer has signed in with `code`.
    func session(
        _ code: String, _ poll: PollingSchedule.Poll, as caller: BackendCaller
    ) async throws(EntitlementError) -> PollAnswer {
        let form = [("_method", "GET"), ("reg_code", code)]
        let answer = try await self.service("session", form, as: caller, poll: poll)
        let state = answer.headers["latchkey-code-state"].flatMap { AccessEnabler.CodeState(rawValue: $0) }
        let verdict: PollAnswer.Verdict
        switch answer.status {
        case 200: verdict = .signedIn(try nativeSession(in: answer))
        // A bearer that is refused says so with the same status, and with a challenge (sdk-services 1).
        case 401 where answer.headers["www-authenticate"] == nil: verdict = .notYet
        case 404: verdict = .unknown
        case 410: verdict = .over
        default: throw serviceError(answer)
        }
        return PollAnswer(
            verdict: verdict, state: state, isOpened: answer.headers["latchkey-code-opened"] == "true",
            providerReason: answer.headers["latchkey-provider-reason"].map { PercentCoding.decoded($0) },
            isHeld: answer.headers["preference-applied"]?.contains("wait") ?? false)
    }

    /// A call of the SDK services (sdk-services 1), with the requestor and the device beside the fields of `form`.
    func service(
        _ name: String, _ form: [(String, String)], as caller: BackendCaller, poll: PollingSchedule.Poll? = nil,
        creates: Bool = false, accept: String = "application/xml"
    ) async throws(EntitlementError) -> WireAnswer {
        let own = [("requestor_id", caller.requestor.text), ("device_id", caller.deviceID.text)]
        return try await self.wire.send(
            .post, "/adobe-services/\(name)", body: .form(form + own), as: caller, accept: accept, poll: poll,
            creates: creates)
    }
}
