import Clientless
import Observability

extension AccessEnabler {
    /// Keeps the token of a login (access-enabler 9.2, step 9).
    func store() async {
        let attempt = self.flow.attempt
        guard let session = self.login.session, let configuration = self.configuration,
            let deviceID = try? await self.deviceID()
        else { return await self.advance(.failed(code: AccessEnablerError.internalAuthentication), of: attempt) }
        let id = session.token.mvpdID
        let kept = StoreImage.Provider(
            authn: StoreImage.Authentication(
                xml: session.token.xml, expires: session.token.expires.milliseconds,
                deviceScope: self.settings.deviceScope, boundDeviceID: deviceID.text, origin: self.login.origin,
                stored: self.settings.clock.now.milliseconds),
            userMetadata: session.userMetadata)
        do {
            let branch = try await self.vault.image()[requestor: configuration.requestor.text]
            guard attempt == self.flow.attempt else { return }
            self.login.before = (configuration.requestor.text, branch)
            let cancellation = self.login.cancellation
            try await self.vault.update { image in
                // Dropped meanwhile. What comes after this is taken back (``takeBack()``).
                guard !cancellation.isCancelled else { return }
                image[requestor: configuration.requestor.text, mvpd: id] = kept
                image[requestor: configuration.requestor.text].currentMvpd = id
                image[requestor: configuration.requestor.text].canAuthenticate = true
                image.code = nil
            }
        } catch {
            self.logger.error("[AccessEnabler] a token could not be kept", [.error: .text("\(error)")])
            return await self.advance(.failed(code: AccessEnablerError.internalAuthentication), of: attempt)
        }
        guard attempt == self.flow.attempt else { return }
        self.preauthorizations.clear()
        await self.advance(.stored)
    }

    /// Puts back what was in the store before a login that was dropped in the moment its token was kept.
    func takeBack() async {
        guard let session = self.login.session, let before = self.login.before else { return }
        let (id, xml) = (session.token.mvpdID, session.token.xml)
        self.login.session = nil
        _ = try? await self.vault.update { image in
            guard image[requestor: before.requestor].mvpds[id]?.authn?.xml == xml else { return }
            image[requestor: before.requestor].mvpds[id] = before.branch.mvpds[id]
            image[requestor: before.requestor].currentMvpd = before.branch.currentMvpd
            image[requestor: before.requestor].canAuthenticate = before.branch.canAuthenticate
        }
    }

    /// The end of a run, and what was waiting for it.
    func endLogin(_ outcome: AuthenticationFlow.Outcome) async {
        self.endings += 1
        defer { self.noteEnd() }
        let login = self.login
        self.login = Login()
        self.preselected = nil
        switch outcome {
        case .success:
            let token = login.session?.token
            let guid = login.provider?.pass == nil ? token?.guid : (try? await self.deviceID())?.text
            self.report(
                .tracking(
                    event: TrackingEvent.authentication,
                    data: self.tracking.authentication(mvpdID: token?.mvpdID, guid: guid, isCached: false)))
            if login.origin == .temporary { self.report(AdvancedStatus("N011", .info)) }
            if login.origin == .degraded { self.report(AdvancedStatus("N010", .warning)) }
            self.report(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
            for reply in login.replies { reply(.authenticated(mvpdID: token?.mvpdID ?? "")) }
        case .failure(let code):
            await self.rememberFailure()
            if code != AccessEnablerError.providerNotSelected {
                self.trackCheck(nil)
            }
            let result = self.failAuthentication(code)
            for reply in login.replies { reply(result) }
        }
        for (request, reply) in login.authorizations {
            // In the queue like any other call, so that a server's patience does not hold this one up.
            switch outcome {
            case .success:
                var request = request
                request.startsLogin = false
                self.mailbox.send(.authorize(request, reply))
            case .failure: self.fail(request, AccessEnablerError.userNotAuthenticated, "", reply)
            }
        }
    }

    /// Returns when every run that is over has been reported: what a call leads to comes after that.
    func runsEnded() async {
        while self.endings > 0 { await withCheckedContinuation { self.waitingForEnd.append($0) } }
    }

    private func noteEnd() {
        self.endings -= 1
        let waiting = self.waitingForEnd
        self.waitingForEnd = []
        for continuation in waiting { continuation.resume() }
    }

    /// Without a valid token the provider of a failed attempt is not remembered (access-enabler D-07, D-13).
    func rememberFailure() async {
        guard let configuration = self.configuration, await self.signIn() == nil else { return }
        let requestor = configuration.requestor.text
        try? await self.vault.update { image in
            guard image.requestors[requestor] != nil else { return }
            image[requestor: requestor].canAuthenticate = false
            image[requestor: requestor].currentMvpd = nil
        }
    }
}
