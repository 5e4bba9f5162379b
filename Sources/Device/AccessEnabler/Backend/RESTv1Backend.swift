package import Clientless
package import Cryptography
import FoundationEssentials
import HTTPClient

/// The operations over REST v1, in JSON (rest-v1 10 to 18).
package final class RESTv1Backend: EntitlementBackend {
    private let wire: RESTv1Wire

    /// - Parameter base: the server's URL without a slash at its end.
    package init(
        base: String, clientInformation: ClientInformation, transport: any Transport, clock: any BoxClock,
        randomness: any Randomness
    ) {
        self.wire = RESTv1Wire(
            base: base, deviceInformation: clientInformation.encoded, transport: transport, clock: ServerClock(clock),
            randomness: randomness)
    }

    package var now: Timestamp { self.wire.clock.now }
    package var clockOffset: Duration { self.wire.clock.offset }

    // MARK: Registration (rest-v1 10)

    package func registerClient(softwareStatement: Secret) async throws(EntitlementError) -> ClientCredentials {
        let statement = softwareStatement.withBytes { String(decoding: $0, as: UTF8.self) }
        let body = JSONValue.object([.init("software_statement", .string(statement))]).text
        let answer = try await self.wire.send(
            .post, "/o/client/register", body: .json(body), proof: nil)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        let client: RegisteredClient = try answer.decoded()
        guard !client.id.isEmpty, !client.secret.isEmpty else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        return ClientCredentials(id: client.id, secret: Secret(client.secret))
    }

    package func accessToken(for client: ClientCredentials) async throws(EntitlementError) -> AccessToken {
        let secret = client.secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let answer = try await self.wire.send(
            .post, "/o/client/token",
            body: .form([
                ("grant_type", "client_credentials"), ("client_id", client.id), ("client_secret", secret),
            ]),
            proof: nil)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        let token: IssuedToken = try answer.decoded()
        guard !token.text.isEmpty, (1...31_536_000).contains(token.seconds) else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        // A tenth of its life early, at most five minutes: nobody is refused in the middle of a pairing.
        let early = min(300, token.seconds / 10)
        return AccessToken(text: Secret(token.text), renewAt: self.now + .seconds(token.seconds - early))
    }

    // MARK: Codes (rest-v1 11)

    package func registrationCode(
        lifetime: Duration?, activationURL: String?, as caller: Caller
    ) async throws(EntitlementError) -> RegistrationCode {
        var form = [("deviceId", caller.deviceID.text)]
        if let lifetime { form.append(("ttl", String(lifetime.components.seconds))) }
        if let activationURL { form.append(("registrationURL", activationURL)) }
        let answer = try await self.wire.send(
            .post, "/reggie/v1/\(caller.requestor)/regcode", body: .form(form), proof: caller)
        guard answer.status == 201 || answer.status == 200 else { throw answer.error }
        let record: CodeRecord = try answer.decoded()
        guard let code = RegistrationCodeText(record.code) else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        return RegistrationCode(
            code: code, loginURL: (record.info?.registrationURL ?? activationURL).flatMap(webAddress),
            expires: Timestamp(milliseconds: record.expires.milliseconds), mvpdID: record.mvpd)
    }

    package func deleteRegistrationCode(_ code: String, as caller: Caller) async throws(EntitlementError) {
        let answer = try await self.wire.send(
            .delete, "/reggie/v1/\(caller.requestor)/regcode/\(percentEncoded(code))", proof: caller)
        guard answer.status == 204 || answer.status == 404 else { throw answer.error }
    }

    package func poll(
        _ code: String, _ poll: PollingSchedule.Poll, as caller: Caller
    ) async throws(EntitlementError) -> PollAnswer {
        let answer = try await self.wire.send(
            .get, "/api/v1/authenticate/\(percentEncoded(code))", query: [("requestor", caller.requestor.text)],
            proof: caller, poll: poll)
        return try pollAnswer(answer)
    }

    package func poll(
        device poll: PollingSchedule.Poll, as caller: Caller
    ) async throws(EntitlementError) -> PollAnswer {
        try pollAnswer(
            try await self.wire.send(
                .get, "/api/v1/tokens/authn", query: deviceQuery(caller), proof: caller, poll: poll))
    }

    // MARK: Decisions and tokens (rest-v1 14 to 18)

    package func authorize(_ resource: Resource, as caller: Caller) async throws(EntitlementError) {
        let answer = try await self.wire.send(
            .get, "/api/v1/authorize", query: deviceQuery(caller) + [("resource", resource.text)], proof: caller)
        guard answer.status == 200 else { throw decisionError(answer) }
    }

    package func mediaToken(_ resource: Resource, as caller: Caller) async throws(EntitlementError) -> MediaToken {
        let answer = try await self.wire.send(
            .get, "/api/v1/tokens/media", query: deviceQuery(caller) + [("resource", resource.text)], proof: caller)
        guard answer.status == 200 else { throw decisionError(answer) }
        let token: IssuedMediaToken = try answer.decoded()
        // It goes to a script's stdout: one word, as the protocol says.
        guard !token.serializedToken.isEmpty, token.serializedToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw EntitlementError(.malformedAnswer, status: answer.status)
        }
        return MediaToken(
            token: token.serializedToken, resource: resource.text,
            expires: Date(timeIntervalSince1970: Double(token.expires.milliseconds) / 1000))
    }

    package func isSignedIn(as caller: Caller) async throws(EntitlementError) -> Bool {
        let answer = try await self.wire.send(.get, "/api/v1/checkauthn", query: deviceQuery(caller), proof: caller)
        switch answer.status {
        case 200: return true
        case 403 where !answer.saysUnknownClient: return false
        default: throw answer.error
        }
    }

    package func logout(as caller: Caller) async throws(EntitlementError) {
        let answer = try await self.wire.send(.delete, "/api/v1/logout", query: deviceQuery(caller), proof: caller)
        guard answer.status == 204 || answer.status == 200 else { throw answer.error }
    }

    package func displayName(
        ofProvider id: String, requestor: RequestorID
    ) async throws(EntitlementError) -> String? {
        let answer = try await self.wire.send(.get, "/api/v1/config/\(requestor)", proof: nil, timeout: .seconds(5))
        guard answer.status == 200 else { throw answer.error }
        let configuration: ServiceConfiguration = try answer.decoded()
        return configuration.requestor.mvpds.mvpd.first { $0.id == id }?.displayName
    }
}

private func deviceQuery(_ caller: Caller) -> [(String, String)] {
    [("requestor", caller.requestor.text), ("deviceId", caller.deviceID.text)]
}

private func pollAnswer(_ answer: WireAnswer) throws(EntitlementError) -> PollAnswer {
    let state = answer.headers["latchkey-code-state"].flatMap { CodeState(rawValue: $0) }
    let verdict: PollAnswer.Verdict
    switch answer.status {
    case 200:
        let token: AuthenticationToken = try answer.decoded()
        guard !token.mvpd.isEmpty else { throw EntitlementError(.malformedAnswer, status: 200) }
        verdict = .signedIn(
            Authentication(mvpdID: token.mvpd, expires: Timestamp(milliseconds: token.expires.milliseconds)))
    case 404: verdict = .notYet
    case 410: verdict = .gone
    case 403 where state != nil: verdict = .notYet
    default: throw answer.error
    }
    return PollAnswer(
        verdict: verdict, state: state,
        providerReason: answer.headers["latchkey-provider-reason"].map(percentDecoded),
        isHeld: answer.headers["preference-applied"]?.contains("wait") ?? false)
}

/// 403 is the provider's or the programmer's no, unless it speaks of the client.
private func decisionError(_ answer: WireAnswer) -> EntitlementError {
    guard answer.status == 403 || answer.status == 412, !answer.saysUnknownClient else { return answer.error }
    return EntitlementError(.notAuthorized, status: answer.status, detail: answer.document?.details)
}

/// The errors of rest-v1 10.2 and 10.3.
private func registrationError(_ answer: WireAnswer) -> EntitlementError {
    guard answer.status == 400 || answer.status == 401 else { return answer.error }
    let code = answer.document?.error
    return EntitlementError(
        code == "invalid_client" ? .unknownClient : .credentialsRefused, status: answer.status, detail: code)
}

/// Only what a phone may open; anything else would be a trap in a QR code.
private func webAddress(_ text: String) -> String? {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.count <= 1024,
        text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return text
}
