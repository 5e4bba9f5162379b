// TempPass, and logins that are skipped at the moment (access-enabler 9.12, 9.13).
extension AccessEnabler {
    func authenticateTemporarily(_ step: LoginEffect) async -> Finding {
        guard let facts = step.carried.provider else { return Finding(failed: nil) }
        do {
            let session = try await self.server(about: facts, step.configuration)
                .temporaryAuthentication(mvpdID: facts.id, data: step.request.data)
            return Finding(.token) { attempt in
                attempt.session = session
                attempt.origin = facts.pass == nil ? .degraded : .temporary
            }
        } catch {
            // The rule that skipped the login is over: the viewer signs in as always.
            if facts.pass == nil, error.code == .refused {
                return Finding(.providerSelected(.init(id: facts.id, isImmediate: false, needsData: false)))
            }
            return Finding(failed: error, reporting: error.code == .trialOver ? AdvancedStatus("N111", .warning) : nil)
        }
    }

    /// The report of a failure that concerns the device rather than the call.
    func reportDevice(_ error: EntitlementError) {
        if error.code == .untrusted { self.report(AdvancedStatus("SEC420", .error)) }
    }
}
