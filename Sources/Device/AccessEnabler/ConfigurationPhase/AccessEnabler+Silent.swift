import Clientless

// Passive authentication and silent platform sign-on (access-enabler 6.2 steps 7 and 8, 9.9, 10.5).
extension AccessEnabler {
    /// The configuration phase and the store's generation that a silent sign-on began with, compared when it is late.
    private typealias SilentRun = (number: Int, generation: Int?)

    /// Steps 4 to 8 of access-enabler 6.2, within the time limit; a late result is still kept (D-27).
    func bringUpToDate(_ configuration: RequestorConfiguration) async {
        let run = self.configurationRun
        _ = await self.mailbox.apart(within: self.settings.silentSignOnTimeout, by: self.settings.clock) {
            await self.bringTokensUpToDate(configuration)
            let silent = SilentRun(run, await self.generation)
            await self.authenticatePassively(configuration, silent)
            await self.signOnByPlatform(configuration, silent)
        }
    }

    private func authenticatePassively(_ configuration: RequestorConfiguration, _ run: SilentRun) async {
        for facts in configuration.providers
        where facts.authenticatesPerRequestor && facts.supportsPassiveAuthentication {
            // At the server it would end a sign-in of this requestor in use (rest-v1 6.2).
            guard run.number == self.configurationRun, let image = try? await self.vault.image(),
                let judge = await self.judge(configuration), judge.current(image) == nil,
                image[requestor: configuration.requestor.text].mvpds[facts.id]?.authn
                    .map({ !judge.isValid($0, mvpdID: facts.id) }) ?? true,
                let foreign = judge.foreignSignIn(image, mvpdID: facts.id)
            else { continue }
            self.report(AdvancedStatus("N001", .info))
            let session = try? await self.server(about: facts).passiveAuthentication(with: foreign, mvpdID: facts.id)
            if let session { await self.keepSilently(session, .regular, configuration, run) }
        }
    }

    private func signOnByPlatform(_ configuration: RequestorConfiguration, _ run: SilentRun) async {
        guard run.number == self.configurationRun, let platform = self.settings.platformSSO,
            configuration.providers.contains(where: { $0.isPlatformCapable || $0.allowsExchange })
        else { return }
        do throws(PlatformSSOFailure) {
            if let problem = try await self.platformAccess(platform).problem {
                return await self.withdrawPlatform(problem, run)
            }
            let account = try await self.platformAccount(platform, self.accountQuery(configuration))
            guard run.number == self.configurationRun else { return }
            let identifier = account.providerIdentifier
            self.isBoxSignedIn = identifier != nil
            // Tokens go with the box's account, too (access-enabler 6.6).
            await self.changeTokens { judge, image in judge.removePlatformTokens(&image, unless: identifier) }
            guard let identifier, !self.isOver(account),
                let facts = configuration.provider(platformID: identifier), facts.allowsExchange
            else { return }
            try await self.exchangeSilently(facts, configuration, run)
        } catch {
            self.report(AdvancedStatus("APPL", .error, details: error.words.details))
        }
    }

    private func exchangeSilently(
        _ facts: ProviderFacts, _ configuration: RequestorConfiguration, _ run: SilentRun
    ) async throws(PlatformSSOFailure) {
        guard await self.usableSignIn() == nil, run.number == self.configurationRun else { return }
        do throws(ExchangeFailure) {
            let session = try await self.exchange(facts, configuration)
            // It may come late: a viewer who signed in meanwhile stays signed in.
            guard await self.usableSignIn() == nil else { return }
            await self.keepSilently(session, .platform, configuration, run)
        } catch {
            if case .platform(let failure) = error { throw failure }
        }
    }

    /// Tokens from the platform go with the permission (access-enabler 6.6).
    private func withdrawPlatform(_ status: AdvancedStatus, _ run: SilentRun) async {
        guard run.number == self.configurationRun else { return }
        self.report(status)
        await self.changeTokens { judge, image in judge.withdrawPlatform(&image) }
    }

    /// The server hears of what goes as of a logout.
    private func changeTokens(_ change: @escaping @Sendable (TokenJudge, inout StoreImage) -> Void) async {
        guard let configuration = self.configuration, let judge = await self.judge(configuration) else { return }
        let former = await self.signIn()
        _ = try? await self.vault.update { image in change(judge, &image) }
        guard let former, former.stored.origin == .platform, let image = try? await self.vault.image(),
            judge.current(image)?.token.xml != former.stored.xml
        else { return }
        _ = try? await self.server(about: former.facts, configuration)
            .logout(token: former.stored.xml, mvpdID: former.facts.id, redirect: nil)
    }

    private func keepSilently(
        _ session: NativeSession, _ origin: StoreImage.Origin, _ configuration: RequestorConfiguration, _ run: SilentRun
    ) async {
        guard let kept = try? await self.branch(of: session, origin, configuration),
            self.configuration?.requestor == configuration.requestor
        else { return }
        let id = session.token.mvpdID
        let judge = await self.judge(configuration)
        _ = try? await self.vault.update { image in
            // A logout in between counts, also another process's.
            guard image.generation == run.generation else { return }
            // A provider that a viewer signed in at meanwhile stays in use.
            let current = judge?.current(image)
            let isSignedIn = current.map { origin == .regular || $0.token.origin != .platform } ?? false
            guard isSignedIn else { return image.begin(kept, at: id, of: configuration.requestor.text, as: origin) }
            image[requestor: configuration.requestor.text, mvpd: id] = kept
        }
    }
}
