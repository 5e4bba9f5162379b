// One queue; what needs a server runs beside it, one such call after the other (access-enabler 2.1, 6.3).
extension AccessEnabler {
    /// Takes the next letter. - Returns: what is to run beside the mailbox.
    func take(_ letter: Mailbox.Letter) async -> (@Sendable () async -> Void)? {
        switch letter {
        case .work(let work): return work
        case .call(let call):
            guard call.isGated else { return await self.takeUngated(call) }
            if call.isQuick, self.lane.isEmpty, !self.isLaneBusy, self.gate != .closed {
                await self.perform(call)
                return nil
            }
            self.lane.append(call)
            guard !self.isLaneBusy, self.hasWork else { return nil }
            self.isLaneBusy = true
            return { await self.runLane() }
        }
    }

    private func takeUngated(_ call: Call) async -> (@Sendable () async -> Void)? {
        switch call {
        case .handleExternalURL(let url, let reply):
            await self.endNavigation(url, reply)
            return nil
        case .preauthorize(let request, let callback): return { await self.preauthorize(request, callback) }
        default: return nil
        }
    }

    private func runLane() async {
        while let call = self.takeFromLane() { await self.perform(call) }
        self.isLaneBusy = false
    }

    private var hasWork: Bool {
        self.lane.contains(where: \.isConfiguration) || (self.gate != .closed && !self.lane.isEmpty)
    }

    /// A configuration before anything else: the gate opens after the last one (access-enabler D-03).
    private func takeFromLane() -> Call? {
        if let index = self.lane.firstIndex(where: \.isConfiguration) { return self.lane.remove(at: index) }
        guard self.gate != .closed, !self.lane.isEmpty else { return nil }
        return self.lane.removeFirst()
    }

    private func perform(_ call: Call) async {
        await self.runsEnded()
        switch call {
        case .configure(let id, let urls, let reply):
            let failure = await self.configure(id, urls)
            reply?(failure)
        case .resynchronize:
            guard let identity = self.identity else { return }
            _ = await self.configure(identity.requestorID, identity.serviceProviders)
        case .checkAuthentication(let reply):
            let outcome = await self.checkAuthentication()
            reply?(outcome)
        case .authenticate(let request, let reply): await self.authenticate(request, reply)
        case .selectProvider(let id, let reply):
            await self.select(id)
            reply?(())
        case .checkPreauthorized(let resources, let usesCache, let reply):
            let permitted = await self.checkPreauthorized(resources, usesCache: usesCache)
            reply?(permitted)
        case .authorize(let request, let reply): await self.authorize(request, reply)
        case .logout(let reply):
            let outcome = await self.logOut()
            reply?(outcome)
        case .getSelectedProvider(let reply):
            let provider = await self.currentProvider()
            self.report(.selectedProvider(provider))
            reply?(provider)
        case .getMetadata(let arguments, let reply):
            let result = await self.metadata(arguments)
            reply?(result)
        case .handleExternalURL, .preauthorize: break
        }
    }
}
