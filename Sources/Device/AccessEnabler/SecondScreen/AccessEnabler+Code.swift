import Clientless

extension AccessEnabler {
    /// Gets a code for the chosen provider, or shows a live one of an earlier run again.
    func requestCode(_ attempt: Int) async {
        guard let configuration = self.configuration else {
            return await self.advance(.codeUnavailable, of: attempt)
        }
        let facts = self.login.provider
        let server = facts?.server ?? configuration.firstResponder
        do {
            let resumed = try await self.resumableCode(configuration.requestor, server, mvpdID: facts?.id)
            let code: RegistrationCode
            if let resumed {
                code = resumed
            } else {
                code = try await self.newCode(configuration.requestor, server, about: facts)
            }
            guard attempt == self.flow.attempt else { return }
            self.login.code = code
            if self.settings.interaction == .secondScreen {
                self.show(code, isResumed: resumed != nil, now: self.service(server).backend.now)
            }
            await self.advance(.codeObtained)
        } catch {
            guard attempt == self.flow.attempt else { return }
            self.reportDevice(error)
            self.lastFailure = error
            await self.advance(.codeUnavailable)
        }
    }

    private func resumableCode(
        _ requestor: RequestorID, _ server: ServiceProviderURL, mvpdID: String?
    ) async throws(EntitlementError) -> RegistrationCode? {
        guard self.settings.resumesRegistrationCode, self.settings.interaction == .secondScreen else { return nil }
        return try await self.vault.image().code?
            .resumable(requestor, server, mvpdID: mvpdID, at: self.service(server).backend.now)
    }

    /// A new code, in the store before anybody sees it.
    private func newCode(
        _ requestor: RequestorID, _ server: ServiceProviderURL, about facts: ProviderFacts?
    ) async throws(EntitlementError) -> RegistrationCode {
        let wish = CodeWish(
            mvpdID: facts?.id, lifetime: self.settings.codeLifetime, activationURL: self.settings.activationURL,
            data: self.login.request.data)
        let fresh = try await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
            try await backend.registrationCode(wish, as: caller)
        }
        guard self.settings.resumesRegistrationCode else { return fresh }
        let now = self.service(server).backend.now
        return try await self.vault.update { image in
            // Another program may have been quicker; two that wait for one code are both answered.
            if let other = image.code?.resumable(requestor, server, mvpdID: facts?.id, at: now) { return other }
            image.code = StoreImage.Code(
                code: fresh.code, requestor: requestor.text, server: server.text,
                expires: fresh.expiresAt.milliseconds, loginURL: fresh.loginURL, mvpd: facts?.id)
            return fresh
        }
    }

    /// The two forms of "show this code" (access-enabler 8.14).
    private func show(_ code: RegistrationCode, isResumed: Bool, now: Timestamp) {
        self.settings.pairingProgress?(.code(code, left: code.expiresAt - now, isResumed: isResumed))
        var further = ["registrationCode": code.code, "expires": String(code.expiresAt.milliseconds)]
        further["loginURL"] = code.loginURL
        further["mvpd"] = code.mvpdID
        self.report(AdvancedStatus("REGCODE", .success, message: code.code, further: further))
        self.report(.registrationCode(code))
    }

    /// Withdraws a code nobody waits for any more. Best effort: it ends by itself.
    func withdraw(_ code: RegistrationCode, about facts: ProviderFacts?) async {
        try? await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
            try await backend.deleteRegistrationCode(code.code, as: caller)
        }
    }
}

extension StoreImage.Code {
    /// The kept code, if it serves this login and can still be used.
    func resumable(
        _ requestor: RequestorID, _ server: ServiceProviderURL, mvpdID: String?, at now: Timestamp
    ) -> RegistrationCode? {
        // With less left than it takes to scan it, a new one serves better.
        guard self.requestor == requestor.text, self.server == server.text, self.mvpd == mvpdID,
            self.expires > now.milliseconds + 15_000, let text = RegistrationCodeText(self.code)
        else { return nil }
        return RegistrationCode(
            code: text, loginURL: self.loginURL, expires: Timestamp(milliseconds: self.expires), mvpdID: self.mvpd,
            at: now)
    }
}
