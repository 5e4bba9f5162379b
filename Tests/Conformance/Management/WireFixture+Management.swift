import Clientless
import Entitlement
import TestSupport

extension WireFixture {
    func token(for application: String = Managed.operations) async throws -> String {
        try await self.accessToken(for: application)
    }

    func context(_ device: String) -> DeviceContext {
        self.domain.signIns.context(DeviceID(device)!, appID: nil, deviceUser: nil)
    }

    func signedIn(
        _ device: String, _ requestor: RequestorID = WireFixture.requestor
    ) async throws(EntitlementError) -> AuthNRecord {
        try await self.domain.signIns.signedIn(self.context(device), requestor, now: self.clock.now)
    }

    /// A sign-in of a viewer whom the provider does not know any more.
    @discardableResult
    func signIn(device: String, requestor: RequestorID = WireFixture.requestor) async throws -> AuthNRecord {
        try await self.domain.signIns.signIn(
            self.context(device), requestor: requestor, mvpd: Self.provider,
            login: ProviderLogin(upstreamUserID: "bob", session: ProviderSession(account: "bob")), origin: .regular,
            credential: .keyPair("pk.1"), now: self.clock.now)
    }

    /// Whether a device may play something on its trial, signing it in there first.
    func isTrialLive(
        _ device: String, person: String? = nil, requestor: RequestorID = WireFixture.requestor,
        mvpd: MVPDID = Managed.trial
    ) async throws -> Bool {
        let identity = person.map { self.domain.trials.person($0) }
        _ = try await self.domain.trials.start(
            self.context(device), requestor: requestor, mvpd: mvpd, person: identity,
            by: Guesser(.local), now: self.clock.now)
        do throws(EntitlementError) {
            _ = try await self.domain.decisions.authorize(
                Managed.channel, by: try await self.signedIn(device, requestor), requestor: requestor,
                now: self.clock.now)
            return true
        } catch {
            guard error.code == .notAuthorized else { throw error }
            return false
        }
    }
}
