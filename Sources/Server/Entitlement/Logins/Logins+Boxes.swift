package import Clientless
import Cryptography

// Viewers who sign in to look at their boxes. They go through a login like any other, with its limits and its ways to and
// from providers; the code that it needs is one that is shown nowhere, and that signs no box in.
extension Logins {
    /// Starts the login of a viewer who wants to see their boxes (``LoginAttempt/Origin/boxList``).
    /// - Parameters:
    ///   - mvpd: one of ``Catalogue/mvpdsOfViewers``.
    ///   - callback: the address of this server that the provider sends the browser back to.
    /// - Throws: `unknownProvider`, `tooManyAttempts`, `providerUnavailable`, `storeUnavailable`.
    package func beginForBoxes(
        at mvpd: MVPDID, browser: Browser, callback: String, asksAnew: Bool = false, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginStart {
        let catalogue = self.catalogue.current
        guard catalogue.mvpdsOfViewers.contains(where: { $0.id == mvpd }),
            let requestor = catalogue.requestors.first(where: { catalogue.integration($0.id, mvpd) != nil })
        else { throw EntitlementError(.unknownProvider) }
        // The browser stands for a device, so that its open codes are bounded as a box's are.
        guard let device = DeviceID(Hex.encode(self.browserHash(browser)))
        else { throw EntitlementError(.internal, detail: "a browser has no device ID") }
        let nothing = BoxDescription(
            name: nil, model: nil, software: nil, userAgent: nil, deviceInformation: nil, address: "")
        let guesser = self.guesser(guesser, browser: browser)
        let record = try await self.codes.createCode(
            CodeRequest(
                requestor: requestor.id, deviceID: device,
                context: self.signIns.context(device, appID: nil, deviceUser: nil), mvpd: mvpd,
                registrationURL: nil, deviceType: RegistrationRecord.typeOfBoxList, appVersion: nil, box: nothing,
                application: nil),
            for: LoginAttempt.lifetime, by: guesser, credential: nil, now: now)
        let request = LoginRequest(
            code: record.code, requestor: requestor.id, mvpd: mvpd, origin: .boxList, browser: browser,
            callback: callback, asksAnew: asksAnew)
        return try await self.begin(request, for: record, by: guesser, now: now)
    }

    /// The viewer whom a provider vouched for, of a login for their boxes.
    /// - Returns: `nil` at any other stage than ``LoginStage/boxes``, and for a viewer who has no account.
    /// - Throws: `loginUnknown` when the provider ended the session, `storeUnavailable`, `internal`.
    package func viewer(of view: LoginView, now: Timestamp) async throws(EntitlementError) -> Viewer? {
        guard view.stage(at: now) == .boxes, let accepted = try self.accepted(view), accepted.origin.isOfAccount
        else { return nil }
        guard try await !self.wasEnded(accepted, view) else { throw EntitlementError(.loginUnknown) }
        return Viewer(mvpd: view.mvpd.id, userID: self.keys.userID(accepted.login.upstreamUserID, of: view.mvpd.id))
    }

    /// The channels of the account that a finished login signed its box in with, as far as the provider says them by
    /// itself.
    /// - Returns: `nil` if they are not known, and where the provider or the store does not answer: the page has done
    ///   its work without them.
    package func lineUp(of view: LoginView, now: Timestamp) async -> LineUpNames? {
        guard let record = await self.signIn(of: view, now: now), record.origin.isOfAccount,
            self.catalogue.decisionPoint(record.mvpd) == nil,
            let session = try? self.signIns.keptSession(of: record).session
        else { return nil }
        let answer = await self.providers.look(record.mvpd) { provider throws(ProviderError) in
            try await provider.lineUp(of: session)
        }
        return answer.map { LineUpNames($0) }
    }

    /// Whether the sign-in that a finished login made was ended or replaced since, as far as the store says.
    package func hasEnded(_ view: LoginView, now: Timestamp) async -> Bool {
        guard case .completed(let id) = view.record.life.state(at: now),
            let kept = try? await self.signIns.storedAuthentications(of: view.record.context.device)
        else { return false }
        return !kept.contains { $0.id == id }
    }

    /// The sign-in that a finished login made; `nil` if it is over, or the store does not answer.
    func signIn(of view: LoginView, now: Timestamp) async -> AuthNRecord? {
        if let signIn = view.signIn { return signIn }
        guard case .completed(let id) = view.record.life.state(at: now) else { return nil }
        return try? await self.signIns.authentication(id, of: view.record.context.device)
    }
}

/// The channels of a package, by the names that a viewer can read.
package struct LineUpNames: Hashable, Sendable {
    package static let mostNames = 24

    /// Every channel there is; ``names`` is empty then.
    package let hasEverything: Bool
    /// The account includes no channel at all.
    package let isEmpty: Bool
    package let names: [String]
    package let others: Int

    /// - Parameter entries: as a provider keeps them: names, resources of a programme among them, `*` for all.
    package init(_ entries: [String]) {
        self.hasEverything = entries.contains("*")
        self.isEmpty = entries.isEmpty
        // A resource with markup (MRSS) is for programs.
        let readable = entries.filter { $0 != "*" && !$0.contains("<") && (1...120).contains($0.utf8.count) }
        self.names = self.hasEverything ? [] : Array(readable.prefix(Self.mostNames))
        self.others = self.hasEverything ? 0 : readable.count - self.names.count
    }
}

/// How a viewer who confirms a box knows it.
package enum ConfirmationWay: Hashable, Sendable {
    case inFront
    /// Someone they know read its code out to them over the telephone. Only if the requestor allows it
    /// (``Requestor/takesReadOutCodes``).
    case readOut
}

extension LoginView {
    /// Whether the code of this login may be confirmed for someone who read it out. A trial is for the viewer's own box.
    package var mayBeReadOut: Bool { self.requestor.takesReadOutCodes && self.mvpd.trial == nil }
}

extension RegistrationRecord {
    /// The device type of a code that a viewer's look at their boxes rests on: no code of a box, and so never counted,
    /// listed or told of. A box that claims it gets a code that no viewer can enter.
    package static let typeOfBoxList = "latchkey:box-list"

    package var isOfBoxList: Bool { self.request.deviceType == Self.typeOfBoxList }
}

// Telling of boxes that are new to their viewer.
extension Logins {
    /// The sign-ins of an accepted viewer on the box, the newest first, for as long as sign-ins are kept. A store that
    /// does not answer knows of none: to be told of a new box once too often does no harm.
    func former(_ accepted: AcceptedLogin, _ view: LoginView) async -> [AuthNRecord] {
        guard accepted.origin.isOfAccount else { return [] }
        let userID = self.keys.userID(accepted.login.upstreamUserID, of: view.mvpd.id)
        let known = try? await self.signIns.storedAuthentications(of: view.record.context.device)
        return (known ?? []).filter { $0.mvpd == view.mvpd.id && $0.userID == userID }
    }

    func announce(_ accepted: AcceptedLogin, _ id: AuthNID, _ view: LoginView, now: Timestamp) async {
        let box = KeptBox(view.record.box)
        // The name that its operator knows, for an account of this server.
        let known = try? await self.store.account(id: accepted.login.upstreamUserID, of: view.mvpd.id)
        self.onBoxAdded?(
            (
                account: accepted.login.upstreamUserID, accountName: known?.name, provider: view.mvpd,
                requestor: view.requestor, name: box.name, model: box.model, network: box.network, time: now,
                notice: BoxNoticeToken(id, key: self.keys.tokens).text
            ))
    }
}
