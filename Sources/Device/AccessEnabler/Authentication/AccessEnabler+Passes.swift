import Clientless

// TempPass, and logins that are skipped at the moment (access-enabler 9.12, 9.13).
extension AccessEnabler {
    func authenticateTemporarily(_ attempt: Int) async {
        guard let facts = self.login.provider else { return }
        let data = self.login.request.data
        do {
            let session = try await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
                try await backend.temporaryAuthentication(mvpdID: facts.id, data: data, as: caller)
            }
            guard attempt == self.flow.attempt else { return }
            self.login.session = session
            self.login.origin = facts.pass == nil ? .degraded : .temporary
            await self.advance(.token)
        } catch {
            guard attempt == self.flow.attempt else { return }
            if error.code == .trialOver { self.report(AdvancedStatus("N111", .warning)) }
            self.reportDevice(error)
            await self.advance(.failed(code: AccessEnablerError.genericAuthentication))
        }
    }

    /// The report of a failure that concerns the device rather than the call.
    func reportDevice(_ error: EntitlementError) {
        if error.code == .untrusted { self.report(AdvancedStatus("SEC420", .error)) }
    }
}
