package import Clientless
import Cryptography

// Sign-ins of a provider whose login an operator's rule skips (rest-v1 25).
extension Pairing {
    /// Signs a device in without asking the provider, for as long as a degradation rule says so.
    /// - Throws: `unknownProvider` when no such rule is in force, `storeUnavailable`.
    package func skipLogin(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        guard self.catalogue.integration(requestor, mvpd) != nil,
            let accepted = self.skippedLogin(context, requestor, mvpd, now: now)
        else { throw EntitlementError(.unknownProvider) }
        return try await self.signIn(
            context, requestor: requestor, mvpd: mvpd, login: accepted.login, origin: accepted.origin,
            until: accepted.end, now: now)
    }

    /// The login that a rule in force makes of a viewer's choice; none when the provider is to be asked.
    func skippedLogin(
        _ context: DeviceContext, _ requestor: RequestorID, _ mvpd: MVPDID, now: Timestamp
    ) -> AcceptedLogin? {
        guard let rule = self.degradations.skippedLogin(requestor, mvpd, at: now) else { return nil }
        // Nobody is known: the device stands for its viewer (rest-v1 25).
        let login = ProviderLogin(
            upstreamUserID: Hex.encode(context.device.bytes), session: ProviderSession(account: ""))
        return AcceptedLogin(login, origin: .degraded, until: rule.ends)
    }
}
