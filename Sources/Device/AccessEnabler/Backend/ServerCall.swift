import Clientless
import Cryptography
import HTTPClient
import TextCoding

/// The calls of one server for a requestor that the library needs (access-enabler 17), over the SDK services, and over
/// REST v1 for what those leave to it (sdk-services, rest-v1). A value, so that work that lasts need not keep the library
/// alive.
struct ServerCall: Sendable {
    enum Proof: Sendable {
        case accessToken(Secret)
        case keyPair(KeyPair)
    }

    let service: ServiceAccess
    let requestor: RequestorID
    let deviceID: DeviceID
    let options: CallOptions
    /// The value of `X-Device-Info`, unless the options have one.
    let information: String
    let mailbox: Mailbox

    /// Sends a call, and once more after a renewal that the answer asks for: a new access token or a corrected clock for
    /// 401, a new registration for a client it does not know (access-enabler D-50).
    /// - Returns: an answer of any status to a caller that was accepted.
    func send(_ call: Wire.Call) async throws(EntitlementError) -> WireAnswer {
        let time = self.service.clock.known.start
        var isRepeated = false
        while true {
            // In a task of its own: others wait for the same token, and a caller that is cancelled must not take it away
            // from them, nor wait for theirs.
            let (proof, serial) = try await self.mailbox.apart { () async throws(EntitlementError) in
                try await self.service.proof(for: self)
            }
            let answer = try await self.service.wire.send(call, as: self, proof)
            guard let refusal = answer.refusal(of: call) else { return answer }
            guard !isRepeated, try await self.service.renew(serial, after: refusal, timeBefore: time) else {
                let code: EntitlementError.Code = refusal.code == .unauthorized ? .noAccessToken : .notRegistered
                throw EntitlementError(code, status: refusal.status, detail: refusal.detail)
            }
            isRepeated = true
        }
    }

    /// A call of the SDK services (sdk-services 1), with the requestor and the device beside the fields of `form`.
    func service(
        _ name: String, _ form: [(String, String)], poll: PollingSchedule.Poll? = nil, creates: Bool = false,
        accept: String = "application/xml"
    ) async throws(EntitlementError) -> WireAnswer {
        let own = [("requestor_id", self.requestor.text), ("device_id", self.deviceID.text)]
        return try await self.send(
            .init(
                method: .post, path: "/adobe-services/\(name)", form: form + own, accept: accept, poll: poll,
                creates: creates))
    }
}

extension WireAnswer {
    /// Whether a 401 says nothing of the caller's proof: a bearer that is refused gets a challenge (sdk-services 1).
    fileprivate var hasNoChallenge: Bool { self.headers["www-authenticate"] == nil }

    /// Why the proof of the caller is not accepted; `nil` if it is.
    fileprivate func refusal(of call: Wire.Call) -> EntitlementError? {
        guard self.status == 401 || self.status == 403, call.poll == nil || !self.hasNoChallenge else { return nil }
        let error = serviceError(self)
        return error.code == .unauthorized || error.code == .unknownClient ? error : nil
    }
}

// The configuration (rest-v1 12) and codes (rest-v1 11, sdk-services 3).
extension ServerCall {
    func configuration() async throws(EntitlementError) -> ServiceConfiguration {
        let path = "/api/v1/config/\(PercentCoding.encoded(self.requestor.text))"
        let answer = try await self.send(.init(method: .get, path: path, timeout: .seconds(10)))
        guard answer.status == 200 else { throw answer.error }
        guard let json = answer.json, let configuration = ServiceConfiguration(json, of: self.service.server)
        else { throw answer.malformed }
        return configuration
    }

    /// Asks for a new code. `data` is for the identifier of a promotional TempPass.
    func registrationCode(
        _ mvpdID: String?, lifetime: Duration?, activationURL: String?, data: [String: String]
    ) async throws(EntitlementError) -> AccessEnabler.RegistrationCode {
        var form = [("deviceId", self.deviceID.text)]
        if let mvpdID { form.append(("mvpd", mvpdID)) }
        if let lifetime { form.append(("ttl", String(lifetime.components.seconds))) }
        if let activationURL { form.append(("registrationURL", activationURL)) }
        form += genericData(data)
        let answer = try await self.send(
            .init(method: .post, path: "/reggie/v1/\(self.requestor)/regcode", form: form, creates: true))
        guard answer.status == 201 || answer.status == 200 else { throw answer.error }
        guard let json = answer.json, let expires = json["expires"]?.time,
            let code = json["code"]?.string.flatMap({ RegistrationCodeText($0) })
        else { throw answer.malformed }
        let page = json["info"]?["registrationURL"]?.string ?? activationURL
        return AccessEnabler.RegistrationCode(
            code: code, loginURL: page.flatMap { webAddress($0) },
            shortURL: answer.headers["latchkey-short-url"].flatMap { shortAddress($0, of: code) },
            expires: expires, mvpdID: json["mvpd"]?.string ?? mvpdID,
            at: self.service.clock.now)
    }

    func deleteRegistrationCode(_ code: String) async throws(EntitlementError) {
        let path = "/reggie/v1/\(self.requestor)/regcode/\(PercentCoding.encoded(code))"
        let answer = try await self.send(.init(method: .delete, path: path, query: [("deviceId", self.deviceID.text)]))
        guard answer.status == 204 || answer.status == 404 else { throw answer.error }
    }

    func session(_ code: String, _ poll: PollingSchedule.Poll) async throws(EntitlementError) -> PollAnswer {
        let answer = try await self.service("session", [("_method", "GET"), ("reg_code", code)], poll: poll)
        let state = answer.headers["latchkey-code-state"].flatMap { AccessEnabler.CodeState(rawValue: $0) }
        let verdict: PollAnswer.Verdict
        switch answer.status {
        case 200: verdict = .signedIn(try nativeSession(in: answer))
        case 401 where answer.hasNoChallenge: verdict = .notYet
        case 404, 410: verdict = .over(isUnknown: answer.status == 404)
        default: throw serviceError(answer)
        }
        return PollAnswer(
            verdict: verdict, state: state, isOpened: answer.headers["latchkey-code-opened"] == "true",
            providerReason: answer.headers["latchkey-provider-reason"].map { PercentCoding.decoded($0) },
            isHeld: answer.headers["preference-applied"]?.contains("wait") ?? false)
    }
}
