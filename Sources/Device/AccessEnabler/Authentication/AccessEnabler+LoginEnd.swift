import Clientless
import Lifecycle
import Observability

extension AccessEnabler {
    /// Keeps the token of a login (access-enabler 9.2, step 9).
    func store(_ step: LoginEffect, of attempt: Int) async -> Finding? {
        guard let session = step.carried.session,
            let kept = try? await self.branch(of: session, step.carried.origin, step.configuration)
        else { return Finding(failed: nil, code: AccessEnablerError.internalAuthentication) }
        let (id, requestor) = (session.token.mvpdID, step.configuration.requestor.text)
        if self.configuration?.provider(id) == nil { _ = await self.renewConfiguration() }
        do {
            let branch = try await self.vault.image()[requestor: requestor]
            guard await self.settle(Finding(nil) { $0.before = (requestor, branch) }, of: attempt) else { return nil }
            let (cancellation, origin) = (step.carried.cancellation, step.carried.origin)
            try await self.vault.update { image in
                // Dropped meanwhile. A drop that comes later is answered by ``takeBack(_:)``.
                guard !cancellation.isGiven else { return }
                image.begin(kept, at: id, of: requestor, as: origin)
                image[ending: requestor] = nil
                image.code = nil
            }
        } catch {
            self.logger.error("[AccessEnabler] a token could not be kept", [.error: .text("\(error)")])
            return Finding(failed: error, code: AccessEnablerError.internalAuthentication)
        }
        return Finding(.stored)
    }

    func branch(
        of session: NativeSession, _ origin: StoreImage.Origin, _ configuration: RequestorConfiguration
    ) async throws(EntitlementError) -> StoreImage.Provider {
        StoreImage.Provider(
            authn: StoreImage.Authentication(
                xml: session.token.xml, expires: session.token.expires.milliseconds,
                deviceScope: self.settings.deviceScope, boundDeviceID: try await self.deviceID().text, origin: origin,
                stored: self.now(configuration).milliseconds),
            userMetadata: session.userMetadata)
    }

    /// Restores the store as it was before a login that was dropped in the moment its token was kept.
    func takeBack(_ dropped: Login.Attempt) async {
        guard let session = dropped.session, let before = dropped.before else { return }
        let (id, xml) = (session.token.mvpdID, session.token.xml)
        _ = try? await self.vault.update { image in
            guard image[requestor: before.requestor].mvpds[id]?.authn?.xml == xml else { return }
            image[requestor: before.requestor] = before.branch
        }
    }

    /// Ends a run, and answers the calls that waited for it.
    func endLogin(_ outcome: AuthenticationFlow.Outcome, _ last: Login.Attempt) async {
        let login = self.login
        self.login = Login()
        self.preselected = nil
        switch outcome {
        case .success:
            self.preauthorizations.clear()
            let token = last.session?.token
            let guid = last.provider?.pass == nil ? token?.guid : (try? await self.deviceID())?.text
            let data = self.tracking.authentication(mvpdID: token?.mvpdID, guid: guid, isCached: false)
            self.report(.tracking(event: TrackingEvent.authentication, data: data))
            if last.origin == .temporary { self.report(AdvancedStatus("N011", .info)) }
            if last.origin == .degraded { self.report(AdvancedStatus("N010", .warning)) }
            self.report(.authenticationStatus(.success, code: AccessEnablerError.userAuthenticated))
            for reply in login.replies + login.witnesses { reply(.authenticated(mvpdID: token?.mvpdID ?? "")) }
        case .failure(let code):
            await self.rememberFailure()
            if code != AccessEnablerError.providerNotSelected { self.trackCheck(nil) }
            let result = self.failAuthentication(code)
            for reply in login.replies + login.witnesses { reply(result) }
        }
        for var request in login.authorizations {
            // In the queue like any other call, so that a server's patience does not hold this one up.
            switch outcome {
            case .success:
                request.startsLogin = false
                self.mailbox.send(.authorize(request), from: request.reply?.caller)
            case .failure: self.fail(request, AccessEnablerError.userNotAuthenticated)
            }
        }
    }

    /// Returns when every run that is over has been reported: what a call leads to comes after that.
    func runsEnded() async { while let end = self.endsOfRuns.first { await end.value() } }

    /// Without a valid token the provider of a failed attempt is not remembered (access-enabler D-07, D-13), only that
    /// its sign-in ran out.
    func rememberFailure() async {
        guard let configuration = self.configuration, await self.signIn() == nil else { return }
        let (requestor, now) = (configuration.requestor.text, self.now(configuration))
        try? await self.vault.update { image in
            guard image.requestors[requestor] != nil else { return }
            if image.ending(of: requestor, at: now) == .expired { image[ending: requestor] = .expired }
            image[requestor: requestor].canAuthenticate = false
            image[requestor: requestor].currentMvpd = nil
        }
    }
}
