import Clientless
import Entitlement
import HTTPClient
import TestSupport
import WireAnswers

extension ManagementFixture {
    func call(
        _ method: HTTPClient.Method, _ target: String, token: String? = nil, headers: HTTPClient.Headers = [:],
        body: String? = nil
    ) async throws -> WireAnswer {
        var headers = headers
        if let token { headers.append("Authorization", "Bearer \(token)") }
        if body != nil { headers.append("Content-Type", "application/x-www-form-urlencoded") }
        var request = HTTPClient.Request(
            method, self.base + target, headers: headers, body: body.map { Array($0.utf8) })
        request.timeout = .seconds(50)
        return try await self.client.send(request)
    }

    func context(_ device: String) -> DeviceContext {
        self.domain.signIns.context(DeviceID(device)!, appID: nil, deviceUser: nil)
    }

    @discardableResult
    func signIn(
        _ device: String, requestor: RequestorID = ManagementFixture.requestor
    ) async throws -> AuthNRecord {
        try await self.domain.signIns.signIn(
            self.context(device), requestor: requestor, mvpd: Self.provider,
            login: ProviderLogin(upstreamUserID: "ada", session: ProviderSession(account: "ada")), origin: .regular,
            credential: .keyPair("pk.1"), now: self.clock.now)
    }

    /// Whether a device may play something on its trial, signing it in there first.
    func isTrialLive(
        _ device: String, person: String? = nil, requestor: RequestorID = ManagementFixture.requestor,
        mvpd: MVPDID = ManagementFixture.trial
    ) async throws -> Bool {
        let identity = person.map { self.domain.trials.person($0) }
        _ = try await self.domain.trials.start(
            self.context(device), requestor: requestor, mvpd: mvpd, person: identity,
            by: Guesser(.local), now: self.clock.now)
        do throws(EntitlementError) {
            _ = try await self.domain.decisions.authorize(
                Self.channel, context: self.context(device), requestor: requestor, now: self.clock.now)
            return true
        } catch {
            guard error.code == .notAuthorized else { throw error }
            return false
        }
    }
}
