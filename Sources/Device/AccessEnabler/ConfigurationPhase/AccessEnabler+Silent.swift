import Clientless

// Passive authentication and silent platform sign-on (access-enabler 6.2 steps 7 and 8, 9.9, 10.5).
extension AccessEnabler {
    /// Tries both within the time limit; a late result is still kept (access-enabler D-27).
    func signOnSilently(_ configuration: RequestorConfiguration) async {
        let done = Cancellation()
        let (limit, clock, run) = (self.settings.silentSignOnTimeout, self.settings.clock, self.configurationRun)
        self.mailbox.run {
            await self.authenticatePassively(configuration, run)
            await self.signOnByPlatform(configuration, run)
            done.cancel()
        }
        await done.guarding { try? await clock.sleep(for: limit) }
    }

    private func authenticatePassively(_ configuration: RequestorConfiguration, _ run: Int) async {
        for facts in configuration.providers
        where facts.authenticatesPerRequestor && facts.supportsPassiveAuthentication {
            guard run == self.configurationRun, let image = try? await self.vault.image(),
                let judge = await self.judge(configuration),
                image[requestor: configuration.requestor.text].mvpds[facts.id]?.authn
                    .map({ !judge.isValid($0, mvpdID: facts.id) }) ?? true,
                let foreign = judge.foreignSignIn(image, mvpdID: facts.id)
            else { continue }
            self.report(AdvancedStatus("N001", .info))
            let session = try? await self.call(about: facts) { (backend, caller) throws(EntitlementError) in
                try await backend.passiveAuthentication(with: foreign, mvpdID: facts.id, as: caller)
            }
            if let session { await self.keepSilently(session, .regular, configuration, run) }
        }
    }

    private func signOnByPlatform(_ configuration: RequestorConfiguration, _ run: Int) async {
        guard run == self.configurationRun, let platform = self.settings.platformSSO,
            configuration.providers.contains(where: \.isPlatformCapable)
        else { return }
        do throws(PlatformSSOFailure) {
            switch try await platform.access(prompt: false) {
            case .granted: break
            case .denied, .restricted: return await self.withdrawPlatform(AdvancedStatus("VSA403", .info))
            case .notDetermined: return await self.withdrawPlatform(AdvancedStatus("VSA404", .info))
            }
            let account = try await platform.account(self.accountQuery(configuration), dialog: nil)
            self.boxAccount.isSignedIn = account.providerIdentifier != nil
            guard await self.usableSignIn() == nil, let identifier = account.providerIdentifier,
                let facts = configuration.provider(platformID: identifier), facts.allowsExchange,
                run == self.configurationRun
            else { return }
            guard let session = try? await self.exchange(facts) else { return }
            await self.keepSilently(session, .platform, configuration, run)
        } catch {
            self.report(AdvancedStatus("APPL", .error, further: ["details": error.words.details]))
        }
    }

    /// A token from the platform goes when the permission went (access-enabler 6.6).
    private func withdrawPlatform(_ status: AdvancedStatus) async { self.report(status) }

    private func keepSilently(
        _ session: NativeSession, _ origin: StoreImage.Origin, _ configuration: RequestorConfiguration, _ run: Int
    ) async {
        guard let deviceID = try? await self.deviceID().text, self.configuration?.requestor == configuration.requestor
        else { return }
        let id = session.token.mvpdID
        let kept = StoreImage.Provider(
            authn: StoreImage.Authentication(
                xml: session.token.xml, expires: session.token.expires.milliseconds,
                deviceScope: self.settings.deviceScope, boundDeviceID: deviceID, origin: origin,
                stored: self.settings.clock.now.milliseconds),
            userMetadata: session.userMetadata)
        let judge = await self.judge(configuration)
        _ = try? await self.vault.update { image in
            // A passive sign-in is one more; the provider in use stays in use.
            let isSignedIn = origin == .regular && judge?.current(image) != nil
            image[requestor: configuration.requestor.text, mvpd: id] = kept
            guard !isSignedIn else { return }
            image[requestor: configuration.requestor.text].currentMvpd = id
            image[requestor: configuration.requestor.text].canAuthenticate = true
        }
    }
}
