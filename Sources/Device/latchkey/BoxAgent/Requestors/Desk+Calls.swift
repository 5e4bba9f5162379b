import AccessEnabler
import Clientless

// The questions of applications.
extension Desk {
    /// The sign-in in use; `nil` when no viewer is signed in.
    /// - Throws: when the state cannot be read, which is not the same as no sign-in.
    func signIn() async throws(AgentError) -> BoxEvent.SignIn? {
        let kept = try await self.keptSignIn()
        await self.noteChange(to: kept)
        guard let kept, kept.isUsable else { return nil }
        let provider = await self.enabler.offeredProviders?.first { $0.id == kept.mvpdID }
        return BoxEvent.SignIn(mvpd: kept.mvpdID, mvpdName: provider?.displayName, expires: kept.expires.milliseconds)
    }

    /// Says that another program of the box signed the viewer out, or in.
    private func noteChange(to kept: AccessEnabler.KeptSignIn?) async {
        let wasSignedIn = self.isKnownSignedIn
        self.isKnownSignedIn = kept?.isUsable ?? false
        // Another program may have signed the viewer in; the reason is of an earlier end.
        if self.isKnownSignedIn { self.reasons.note(nil, for: self.requestor) }
        guard kept == nil, wasSignedIn, let ending = await self.ending() else { return }
        self.noteEnd(ending)
    }

    /// Asks the server whether the sign-in stands, and says so if it does not. Without an answer it stays.
    func checkSignIn() async {
        do throws(EntitlementError) {
            guard try await self.enabler.checkedSignIn() == nil, (try? await self.keptSignIn()) == nil else { return }
            self.noteEnd(await self.ending() ?? .endedByOperator)
        } catch {
            self.note(error)
        }
    }

    /// How the sign-in of this requestor ended, as the state has it.
    private func ending() async -> BoxEvent.Reason? { await self.enabler.signInEnding(of: self.requestor) }

    func noteEnd(_ reason: BoxEvent.Reason, logoutURL: String? = nil) {
        self.isKnownSignedIn = false
        self.reasons.note(reason, for: self.requestor)
        self.events.publish(.signedOut(reason, logoutURL: logoutURL), requestor: self.requestor)
    }

    func keptSignIn() async throws(AgentError) -> AccessEnabler.KeptSignIn? {
        do throws(EntitlementError) {
            return try await self.enabler.keptSignIn(for: self.requestor)
        } catch {
            throw AgentError(.internal, error.storeSentence)
        }
    }

    /// Returns when the library is configured and a viewer is signed in, by the server's clock or the box's account.
    func needSignIn() async throws(AgentError) {
        let kept = try await self.keptSignIn()
        guard kept != nil || self.usesAccount else { throw .notSignedIn }
        // A provider that was switched off may be on again.
        try await self.reach(renewing: kept?.isOffered == false)
        // If an application signed the viewer out, it stays so until the account changes, or the agent starts anew.
        if self.reasons[self.requestor] != .signedOut { await self.followAccount(isNews: false) }
        guard try await self.signIn() != nil else { throw .notSignedIn }
    }

    /// Why the state of this requestor cannot be kept; looked at again after a failure, but not for every caller.
    func storeFault() async -> EntitlementError? {
        if self.storeHealth.isDueForLook(at: .uptime) { try? await self.enabler.checkStore() }
        return self.storeHealth.fault
    }

    func standing() async throws(AgentError) -> BoxEvent.Standing {
        let signIn = try await self.signIn()
        if self.board.isRunning { return BoxEvent.Standing(state: .pairing, signIn: signIn) }
        if let signIn { return BoxEvent.Standing(state: .signedIn, signIn: signIn) }
        return BoxEvent.Standing(state: .signedOut, reason: try await self.reason())
    }

    /// Why no viewer is signed in.
    func reason() async throws(AgentError) -> BoxEvent.Reason {
        if let known = self.reasons[self.requestor] { return known }
        if let kept = try await self.keptSignIn() { return kept.isOver ? .expired : .endedByOperator }
        return await self.ending() ?? .never
    }

    func providers() async throws(AgentError) -> [BoxEvent.Provider] {
        try await self.reach(renewing: true)
        return await (self.enabler.offeredProviders ?? []).map { BoxEvent.Provider(id: $0.id, name: $0.displayName) }
    }

    func authorize(_ resource: String) async throws(AgentError) -> BoxEvent.News {
        try await self.needSignIn()
        let token: AccessEnabler.MediaToken
        do throws(AccessEnabler.AuthorizationFailure) {
            token = try await self.enabler.authorize(resource)
        } catch {
            throw await self.error(for: error)
        }
        self.events.publish(
            .authorized(resource: resource, expires: token.expires?.milliseconds), requestor: self.requestor)
        return token.news
    }

    private func error(for failure: AccessEnabler.AuthorizationFailure) async -> AgentError {
        switch failure.code {
        case AccessEnablerError.userNotAuthenticated:
            await self.noteEnd(after: failure.cause)
            return .notSignedIn
        case AccessEnablerError.userNotAuthorized:
            var error = AgentError(.notAuthorized, "The provider does not allow this.")
            error.resource = failure.resource
            if !failure.description.isEmpty { error.providerMessage = failure.description }
            return error
        default:
            let cause = failure.cause ?? EntitlementError(.unreachable)
            self.note(cause)
            var error = self.trouble(cause)
            if cause.code == .providerFault { error.providerMessage = cause.detail }
            return error
        }
    }

    /// A sign-in is gone that the box believed in: says so, and why.
    func noteEnd(after cause: EntitlementError?) async {
        switch cause?.code {
        // The library keeps one that may count again.
        case .notSignedIn: guard (try? await self.keptSignIn()) == nil else { return }
        case .sessionExpired, .sessionRevoked, .deviceMismatch: break
        default: return
        }
        // Another call may have found it gone, and said so.
        guard self.isKnownSignedIn else { return }
        // If the server does not say how it ended, an operator may have ended it, or changed what this requestor may use.
        self.noteEnd(cause?.signInEnding ?? .endedByOperator)
    }

    func preauthorize(_ resources: [String]) async throws(AgentError) -> [BoxEvent.Preauthorized] {
        try await self.needSignIn()
        let decisions: [PreauthorizeResponse.Decision]
        do throws(EntitlementError) {
            decisions = try await self.enabler.decisions(PreauthorizeRequest(resources: resources))
        } catch {
            guard error.reported != "too_many_resources" else {
                throw AgentError(.badRequest, "resources are more than the server takes at once.")
            }
            throw await self.error(for: error)
        }
        return decisions.map(BoxEvent.Preauthorized.init)
    }

    /// - Returns: `nil` when the provider states nothing of that name.
    func metadata(_ key: String) async throws(AgentError) -> JSONValue? {
        try await self.needSignIn()
        return await self.enabler.metadata(.user(name: key)).value?.json
    }

    /// The boxes that the viewer is signed in on, this one among them.
    func viewerBoxes() async throws(AgentError) -> (boxes: [BoxEvent.ViewerBox], hasMore: Bool) {
        try await self.needSignIn()
        do throws(EntitlementError) {
            let list = try await self.enabler.viewerBoxes()
            return (list.boxes.map(BoxEvent.ViewerBox.init), list.hasMore)
        } catch {
            throw await self.error(for: error)
        }
    }

    func signOut(box handle: String) async throws(AgentError) {
        guard let box = try await self.viewerBoxes().boxes.first(where: { $0.box == handle }) else {
            throw AgentError(.notFound, "The viewer has no such box.")
        }
        guard !box.isThis else { throw AgentError(.conflict, "It is this box: DELETE …/sign-in signs it out.") }
        let isGone: Bool
        do throws(EntitlementError) {
            isGone = try await self.enabler.signOut(box: handle)
        } catch {
            throw await self.error(for: error)
        }
        guard isGone else { throw AgentError(.notFound, "The viewer has no such box.") }
        self.events.publish(.boxSignedOut(box), requestor: self.requestor)
    }

    func error(for failure: EntitlementError) async -> AgentError {
        switch failure.code {
        case .notSignedIn, .sessionExpired, .sessionRevoked, .deviceMismatch:
            await self.noteEnd(after: failure)
            return .notSignedIn
        default:
            self.note(failure)
            return self.trouble(failure)
        }
    }

    func signOut() async throws(AgentError) {
        await self.cancelPairing()
        // The library tells a server only after it was reached.
        if !self.contact.isReached { try? await self.reach() }
        let (kept, reason) = (try await self.keptSignIn(), try await self.reason())
        let outcome = await self.enabler.signOut()
        guard outcome.areTokensCleared else {
            throw AgentError(
                .storage, "The state of this requestor cannot be written, so the viewer is still signed in.")
        }
        if kept != nil || reason == .expired { self.noteEnd(.signedOut, logoutURL: outcome.providerLogoutURL) }
    }
}

extension AccessEnabler.KeptSignIn {
    var isUsable: Bool { !self.isOver && self.isOffered }
}
