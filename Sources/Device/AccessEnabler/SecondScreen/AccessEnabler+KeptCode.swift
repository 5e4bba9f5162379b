import Clientless

extension AccessEnabler {
    /// The live code of an earlier run, for an application that shows it before the network is up: after a power cut the
    /// box may be quicker than its router. Needs ``Configuration/resumesRegistrationCode``.
    /// - Returns: the code, and how long it lives, by the box's clock; `nil` without one.
    public func keptCode(for requestorID: String) async -> (code: RegistrationCode, left: Duration)? {
        guard let requestor = RequestorID(requestorID), let server = self.settings.environment?.serviceProvider,
            let kept = try? await self.vault.image().code
        else { return nil }
        let now = self.service(server).backend.now
        return kept.resumable(requestor, server, mvpdID: kept.mvpd, at: now).map { ($0, $0.expiresAt - now) }
    }
}
