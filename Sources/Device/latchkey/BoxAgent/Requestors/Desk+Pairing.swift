import AccessEnabler
import Lifecycle

// One pairing at a time: two callers that ask for one share it.
extension Desk {
    /// Shows the code of an earlier run, before the server is reached: after a power cut the box may be quicker than its
    /// router.
    func showKeptCode() async {
        guard let kept = await self.enabler.keptCode(for: self.requestor), self.board.begin() else { return }
        (self.keptOrder, self.keptLeft) = (PairingOrder(mvpdID: kept.code.mvpdID), kept.left)
        await self.enabler.tellAgain(.code(kept.code, left: kept.left, isResumed: true))
    }

    /// Ends a code of an earlier run whose time is over before the server is reached.
    func endKeptCode() async {
        guard let left = self.keptLeft, (try? await Task.sleep(for: left)) != nil, self.keptOrder != nil else { return }
        self.keptOrder = nil
        self.conclude(.expired)
    }

    /// - Parameter mvpdID: the provider that the viewer chose on the box; `nil` to let them choose on the page.
    /// - Returns: the code, and whether this call began the pairing.
    func startPairing(mvpdID: String?) async throws(AgentError) -> (shown: PairingRecord.Shown, isNew: Bool) {
        if self.board.isRunning { return (try await self.board.code(), false) }
        let alreadySignedIn = AgentError(.alreadySignedIn, "A viewer is signed in already; sign out first.")
        let wasSignedIn = try await self.signIn() != nil
        do throws(AgentError) {
            try await self.reach(renewing: true)
        } catch {
            throw wasSignedIn ? alreadySignedIn : error
        }
        // Now that the server's clock is known.
        if try await self.signIn() != nil { await self.checkSignIn() }
        guard try await self.signIn() == nil else { throw alreadySignedIn }
        guard await self.enabler.offeredProviders?.isEmpty != true else {
            throw AgentError(.noProvider, "The server has no TV provider for this requestor; its operator can add one.")
        }
        if let mvpdID {
            guard await self.enabler.offeredProviders?.contains(where: { $0.id == mvpdID }) == true else {
                throw AgentError(.badRequest, "mvpd is not a provider of this requestor.")
            }
        }
        let isNew = self.board.begin()
        if isNew { self.order(PairingOrder(mvpdID: mvpdID)) }
        return (try await self.board.code(), isNew)
    }

    /// Ends the pairing, and has the server forget its code. Does nothing without one.
    func cancelPairing() async {
        guard self.board.cancel() else { return }
        if self.keptOrder != nil {
            // The server was not reached since the start, so no login runs.
            self.keptOrder = nil
            self.conclude(.cancelled)
        } else {
            await self.board.ended()
        }
        await self.enabler.withdrawKeptCode()
    }

    /// Runs a login to its end, with a new code for one that ran out unseen.
    func pair(_ order: PairingOrder) async {
        guard let turn = await self.takeTurn() else { return }
        defer { withExtendedLifetime(turn) {} }
        while true {
            let isSignedIn = await self.login(order)
            // If the agent itself stops, the code stays valid and nothing has ended.
            guard !Task.isCancelled,
                let conclusion = self.board.change({ $0.conclude(isSignedIn: isSignedIn) })
            else { return }
            switch conclusion {
            case .renew: continue
            case .approved:
                let signIn = (try? await self.signIn()) ?? BoxEvent.SignIn(mvpd: "")
                self.conclude(.approved(signIn, isAlready: false))
            case .declined: self.conclude(.declined)
            case .cancelled: self.conclude(.cancelled)
            case .expired: self.conclude(.expired)
            case .failed:
                let error = await self.enabler.loginFailure ?? EntitlementError(.unreachable)
                if error.code == .state, await self.storeHasRoomAgain() { continue }
                let trouble = self.trouble(error)
                self.board.end(trouble)
                self.events.publish(
                    .error(BoxEvent.Failure(code: trouble.code.rawValue, message: trouble.message)),
                    requestor: self.requestor)
                self.note(error)
            }
            return
        }
    }

    /// Waits while the code on show lives and the state cannot be kept: the viewer may have signed in with it already, and
    /// the server tells so again.
    /// - Returns: whether to go on with that code, or its end; `false` if there is none any more.
    private func storeHasRoomAgain() async -> Bool {
        let cancellation = self.board.cancellation
        while true {
            guard await self.enabler.keptCode(for: self.requestor) != nil else { return false }
            // Also before the first look: if there is room for little, that says nothing of a sign-in.
            try? await withTimeout(Self.storePause) { await cancellation.wait() }
            if cancellation.isGiven || Task.isCancelled { return true }
            if await self.storeFault() == nil { return true }
        }
    }

    /// Between two looks at a store that has no room.
    private static let storePause: Duration = .seconds(2)

    /// Waits while another program of the box asks about the code of this requestor, and shows that code meanwhile.
    /// - Returns: `nil` when the pairing ended meanwhile, or the agent stops.
    private func takeTurn() async -> PairingTurn? {
        while !Task.isCancelled {
            if let turn = PairingTurn(beside: self.stateFile) { return turn }
            if self.board.cancellation.isGiven {
                self.conclude(.cancelled)
                return nil
            }
            if let signIn = (try? await self.signIn()) ?? nil {
                self.conclude(.approved(signIn, isAlready: false))
                return nil
            }
            if let kept = await self.enabler.keptCode(for: self.requestor) {
                await self.enabler.tellAgain(.code(kept.code, left: kept.left, isResumed: true))
            }
            try? await Task.sleep(for: .seconds(1))
        }
        return nil
    }

    private func conclude(_ news: BoxEvent.News) {
        self.board.end(AgentError(.conflict, "The pairing ended before it had a code."))
        self.events.publish(news, requestor: self.requestor)
    }

    /// - Returns: whether the viewer signed in.
    private func login(_ order: PairingOrder) async -> Bool {
        if let id = order.mvpdID { await self.enabler.selectProvider(id) }
        let enabler = self.enabler
        // Cancelling the task ends the login, wherever it stands.
        let outcome = await self.board.cancellation.guarding { await enabler.authenticate(force: true) }
        return if case .authenticated = outcome { true } else { false }
    }
}
