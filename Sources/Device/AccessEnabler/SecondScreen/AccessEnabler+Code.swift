import Clientless

extension AccessEnabler {
    /// Gets a code for the chosen provider, or shows a live one of an earlier run again.
    func requestCode(_ step: LoginEffect) async -> Finding {
        let (facts, requestor) = (step.carried.provider, step.configuration.requestor)
        let server = facts?.server ?? step.configuration.firstResponder
        do {
            let resumed = try await self.resumableCode(requestor, server, mvpdID: facts?.id)
            let code: RegistrationCode
            if let resumed { code = resumed } else { code = try await self.newCode(step, server) }
            var finding = Finding(.codeObtained)
            finding.code = code
            if self.settings.interaction == .secondScreen {
                let left = code.expiresAt - self.service(server).clock.now
                finding.progress = [.code(code, left: left, isResumed: resumed != nil)]
                finding.reports = [.status(code.status), .registrationCode(code)]
            }
            return finding
        } catch {
            return Finding(failed: error, reporting: AdvancedStatus("REG500", .error))
        }
    }

    private func resumableCode(
        _ requestor: RequestorID, _ server: ServiceProviderURL, mvpdID: String?
    ) async throws(EntitlementError) -> RegistrationCode? {
        guard self.settings.resumesRegistrationCode, self.settings.interaction == .secondScreen else { return nil }
        return try await self.vault.image().code?
            .resumable(requestor, server, mvpdID: mvpdID, at: self.service(server).clock.now)
    }

    /// A new code, in the store before a viewer sees it.
    private func newCode(
        _ step: LoginEffect, _ server: ServiceProviderURL
    ) async throws(EntitlementError) -> RegistrationCode {
        let (facts, requestor) = (step.carried.provider, step.configuration.requestor)
        let fresh = try await self.server(about: facts, step.configuration).registrationCode(
            facts?.id, lifetime: self.settings.codeLifetime, activationURL: self.settings.activationURL,
            data: step.request.data)
        guard self.settings.resumesRegistrationCode else { return fresh }
        let now = self.service(server).clock.now
        return try await self.vault.update { image in
            // Another program may have been quicker; two that wait for one code are both answered.
            if let other = image.code?.resumable(requestor, server, mvpdID: facts?.id, at: now) { return other }
            image.code = StoreImage.Code(
                code: fresh.code, requestor: requestor.text, server: server.text,
                expires: fresh.expiresAt.milliseconds, loginURL: fresh.loginURL, shortURL: fresh.shortURL,
                mvpd: facts?.id)
            return fresh
        }
    }

    /// Lets go of a code that is on show, or came late, so that a picture of it signs no box in. A program that shows
    /// codes again after a restart keeps the one in its store until another takes its place.
    func drop(_ code: RegistrationCode, of provider: ProviderFacts?) {
        self.mailbox.run {
            if self.settings.resumesRegistrationCode {
                guard let kept = try? await self.vault.image().code?.code, kept != code.code else { return }
            }
            await self.withdraw(code, about: provider)
        }
    }

    /// Withdraws a code that no box waits for any more. Best effort: it ends by itself.
    func withdraw(_ code: RegistrationCode, about facts: ProviderFacts?) async {
        try? await self.server(about: facts).deleteRegistrationCode(code.code)
    }

    /// The live code of an earlier run, for an application that shows it before the network is up: after a power cut
    /// the box may be quicker than its router. Needs ``AccessEnabler/Configuration/resumesRegistrationCode``.
    /// - Returns: the code, and how long it lives, by the box's clock, ten hours at most; `nil` without one.
    public func keptCode(for requestorID: String) async -> (code: RegistrationCode, left: Duration)? {
        guard let requestor = RequestorID(requestorID), let server = self.settings.environment?.serviceProvider,
            let kept = try? await self.vault.image().code
        else { return nil }
        let now = self.service(server).clock.now
        return kept.resumable(requestor, server, mvpdID: kept.mvpd, at: now).map { ($0, $0.timeLeft) }
    }
}

extension AccessEnabler.RegistrationCode {
    /// The report that carries the code (access-enabler 8.14).
    fileprivate var status: AdvancedStatus {
        var further = ["registrationCode": self.code, "expires": String(self.expiresAt.milliseconds)]
        further["loginURL"] = self.loginURL
        further["mvpd"] = self.mvpdID
        return AdvancedStatus("REGCODE", .success, message: self.code, further: further)
    }
}

extension StoreImage.Code {
    func resumable(
        _ requestor: RequestorID, _ server: ServiceProviderURL, mvpdID: String?, at now: Timestamp
    ) -> AccessEnabler.RegistrationCode? {
        // A new one serves better if less is left than it takes to scan it.
        guard self.requestor == requestor.text, self.server == server.text, self.mvpd == mvpdID,
            self.expires > now.milliseconds + 15_000, let text = RegistrationCodeText(self.code)
        else { return nil }
        let expires = Timestamp(milliseconds: self.expires)
        // No code lives longer (rest-v1 9); the clock of a box that was off may be years behind.
        return AccessEnabler.RegistrationCode(
            code: text, loginURL: self.loginURL, shortURL: self.shortURL, expires: expires, mvpdID: self.mvpd,
            at: max(now, expires - .seconds(36_000)))
    }
}
