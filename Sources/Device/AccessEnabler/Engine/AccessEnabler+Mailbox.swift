// One queue; long calls run beside it, one after the other (access-enabler 2.1, 6.3).
extension AccessEnabler {
    /// Takes the next letter, and never waits. - Returns: the work to run beside the mailbox.
    func take(_ letter: Mailbox.Letter) -> (@Sendable () async -> Void)? {
        switch letter {
        case .work(let work): return work
        case .withdrawal(let caller): return self.withdraw(caller)
        case .call(.handleExternalURL(let url, let reply), _): return { await self.endNavigation(url, reply) }
        case .call(.preauthorize(let request, let reply), _): return { await self.preauthorize(request, reply) }
        case .call(.selectProvider(nil, let reply), _) where self.flow.isRunning && !self.lane.concernsLogin:
            // "Back" ends a login at once, however long the calls before it wait for a server.
            return {
                await self.select(nil)
                reply(())
            }
        case .call(let call, let caller):
            self.lane.add(call, self.gate, from: caller)
            guard self.lane.begin(self.gate) else { return nil }
            return { await self.runLane() }
        }
    }

    private func runLane() async { while let call = self.lane.next(self.gate) { await self.perform(call) } }

    private func perform(_ call: ApplicationCall) async {
        await self.runsEnded()
        switch call {
        case .configure(let id, let urls, let reply): reply(await self.configure(id, urls))
        case .resynchronize:
            guard let identity = self.identity else { return }
            _ = await self.configure(identity.requestorID, identity.serviceProviders)
        case .checkAuthentication(let reply): reply(await self.checkAuthentication())
        case .authenticate(let request, let reply): await self.authenticate(request, reply)
        case .selectProvider(let id, let reply):
            await self.select(id)
            reply(())
        case .checkPreauthorized(let resources, let usesCache, let reply):
            reply(await self.checkPreauthorized(resources, usesCache: usesCache))
        case .authorize(let request): await self.authorize(request)
        case .logout(let reply): reply(await self.logOut())
        case .getSelectedProvider(let reply):
            let provider = self.gate == .open ? await self.signIn()?.facts.mvpd : nil
            self.report(.selectedProvider(provider))
            reply(provider)
        case .getMetadata(let arguments, let reply): reply(await self.metadata(arguments))
        case .withdraw(let caller): await self.withdrawFromLogin(caller)
        // Not of the lane.
        case .handleExternalURL, .preauthorize: break
        }
    }

    /// A caller awaits its call no longer: it is left undone where it has not begun, and a login that was begun for it
    /// ends (access-enabler D-47). A call that is over is not found, and nothing happens.
    private func withdraw(_ caller: Int) -> (@Sendable () async -> Void)? {
        if self.lane.current?.caller == caller {
            self.lane.addFirst(.withdraw(caller: caller))
            return nil
        }
        guard let call = self.lane.withdraw(caller) else { return { await self.withdrawFromLogin(caller) } }
        guard case .authenticate(_, let reply) = call else { return nil }
        self.report(AdvancedStatus("N005", .info))
        reply(self.failAuthentication(AccessEnablerError.providerNotSelected))
        return nil
    }

    private func withdrawFromLogin(_ caller: Int) async {
        guard self.flow.isRunning else { return }
        if self.login.begunBy == caller || self.login.replies.contains(where: { $0.caller == caller }) {
            return await self.advance(.providerCancelled)
        }
        guard let index = self.login.authorizations.firstIndex(where: { $0.reply?.caller == caller }) else { return }
        self.fail(self.login.authorizations.remove(at: index), AccessEnablerError.userNotAuthenticated)
    }
}
