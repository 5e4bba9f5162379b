package import Clientless
import Synchronization

extension SignIns {
    /// Signs the device out for `requestors`, and for every other that shares their sign-ins; what a sign-in of other
    /// requestors alone is stays, and so do open codes and trials (rest-v1 18). Idempotent.
    ///
    /// Providers are told afterwards (``tellProviders()``), where they take it from this server; the answer has no room for
    /// the address of a provider that signs out in a browser only.
    package func logout(
        _ context: DeviceContext, requestors: Set<RequestorID>, now: Timestamp
    ) async throws(EntitlementError) {
        let records = try await self.storedAuthentications(of: context.device)
        // A session at a provider ends with the last of all that rest on it, which is a regular one: those go last.
        for record in records.sorted(by: { $0.origin != .regular && $1.origin == .regular }) {
            guard context.admits(record.context), self.isUsed(record, by: requestors, now: now) else { continue }
            let end = SignInEnd(byBoxAt: now)
            guard try await stored(await self.store.deleteAuthentication(record.id, as: end, audit: nil)) != nil
            else { continue }
            self.memory.announce(device: context.device)
            // Before the next one, at which the store may fail. The last that rests on a session ends it.
            _ = await self.leaveProvider(of: record, now: now)
        }
    }

    private func isUsed(_ record: AuthNRecord, by requestors: Set<RequestorID>, now: Timestamp) -> Bool {
        // Its own counts as well while its provider is switched off.
        requestors.contains(record.requestor)
            || requestors.contains { self.recordStanding(of: record, requestor: $0, now: now) != .never }
    }

    /// Ends one sign-in, with its decisions (sdk-services 6). Idempotent. The provider is told afterwards
    /// (``tellProviders()``).
    /// - Parameter audit: who signed the box out from elsewhere; kept where the sign-in was still there. `nil` for the box
    ///   itself.
    /// - Returns: the address where the viewer's browser ends the session at the provider, if it is to.
    @discardableResult
    package func logout(
        _ record: AuthNRecord, audit: AuditEntry? = nil, now: Timestamp
    ) async throws(EntitlementError) -> String? {
        let end = audit.map { SignInEnd(at: now, by: $0.actor, .signedOutElsewhere) } ?? SignInEnd(byBoxAt: now)
        guard try await stored(await self.store.deleteAuthentication(record.id, as: end, audit: audit)) != nil
        else { return nil }
        self.memory.announce(device: record.context.device)
        guard let session = await self.leaveProvider(of: record, now: now) else { return nil }
        return try? await self.catalogue.provider(record.mvpd)?.logoutAddress(of: session)
    }

    /// Notes that the provider of a sign-in that is gone is to be told, where the sign-in was the last to rest on the
    /// viewer's session there. The session behind a sign-in by platform is the platform's (access-enabler 9.8).
    /// - Returns: that session.
    private func leaveProvider(of record: AuthNRecord, now: Timestamp) async -> ProviderSession? {
        // One by the box's account rests on the account's session, and may outlive it.
        let boarding = self.catalogue.integration(record.requestor, record.mvpd)?.platform
        guard record.origin == .regular || record.origin == .platform && boarding?.takesBoxAccounts == true,
            let session = try? self.keptSession(of: record).session,
            // A store that does not answer knows of others.
            (try? await self.isShared(record, now: now)) == false
        else { return nil }
        self.farewells.add(session, at: record.mvpd)
        return session
    }

    /// Tells providers which sessions are over, for as long as the task lives. Those that wait when it ends are not told.
    package func keepTellingProviders() async { for await _ in self.farewells.signals { await self.tellProviders() } }

    /// Tells providers which sessions are over, some at a time. Their failures change nothing: the boxes are signed out.
    package func tellProviders() async {
        while case let farewells = self.farewells.take(), !farewells.isEmpty {
            await withTaskGroup(of: Void.self) { group in
                for (mvpd, session) in farewells {
                    group.addTask {
                        try? await self.providers.ask(mvpd) { provider throws(ProviderError) in
                            try await provider.endSession(session)
                        }
                    }
                }
            }
        }
    }

    /// Whether another current sign-in rests on the provider's session of `record`, which is gone: one of any device,
    /// by the session's name; if it has none, one of the same viewer on the same device.
    private func isShared(_ record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> Bool {
        if let name = record.providerSession {
            let selection = AuthNSelection(mvpd: record.mvpd, providerSession: name, endingAfter: now)
            guard try await stored(await self.store.authentications(selection, after: nil, limit: 1)).isEmpty
            else { return true }
        }
        return try await self.storedAuthentications(of: record.context.device).contains {
            ($0.providerSession == nil || record.providerSession == nil) && $0.isCurrent(at: now)
                && $0.mvpd == record.mvpd && $0.userID == record.userID
        }
    }
}

/// Sessions that are over, of which their providers are not told yet.
final class Farewells: Sendable {
    /// The most that wait: the newest is dropped beyond that. Its box is signed out all the same.
    private static let mostWaiting = 1000
    /// How many providers are told of at once.
    private static let share = 32

    /// One wake-up covers all that was added since the last.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[(MVPDID, ProviderSession)]>([])

    init() { (self.signals, self.signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ session: ProviderSession, at mvpd: MVPDID) {
        self.waiting.withLock { if $0.count < Self.mostWaiting { $0.append((mvpd, session)) } }
        self.signal.yield()
    }

    func take() -> [(MVPDID, ProviderSession)] {
        self.waiting.withLock { waiting in
            defer { waiting.removeFirst(min(Self.share, waiting.count)) }
            return Array(waiting.prefix(Self.share))
        }
    }
}

/// How a sign-in ended, as far as the box may be told.
package enum SignInEnding: String, Hashable, Sendable {
    /// A viewer signed out on the box.
    case signedOut = "signed_out"
    /// A newer sign-in of the same device took its place.
    case replaced
    /// The viewer signed the box out from another of their boxes.
    case signedOutElsewhere = "signed_out_elsewhere"
    case endedByOperator = "ended_by_operator"
    /// The provider no longer vouches for the viewer, such as one whose account is gone.
    case refusedByProvider = "refused_by_provider"
}

extension SignIns {
    /// The audit log's name of a sign-in that ended because the provider refused its viewer.
    private static let refusal = "sign-in.refused"
    /// The audit log's name of the end of a sign-in by its provider.
    static let providerLogout = "provider.logout"

    /// Ends a sign-in whose viewer the provider no longer vouches for. Idempotent.
    ///
    /// The store keeps the reason, so that each box that held the sign-in can be told, on every node.
    /// - Returns: the error for the box that found out.
    func endRefused(_ record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> EntitlementError {
        let entry = AuditEntry(
            time: now, actor: "provider \(record.mvpd)", action: Self.refusal,
            subject: Operations.auditName(of: record))
        let end = SignInEnd(at: now, by: entry.actor, .refusedByProvider)
        let gone = try await stored(await self.store.deleteAuthentication(record.id, as: end, audit: entry))
        if gone != nil { self.memory.announce(device: record.context.device) }
        var error = EntitlementError(.authenticationRevoked, detail: "the provider no longer knows the viewer")
        error.ending = .refusedByProvider
        return error
    }

    /// Whether the provider says that the viewer of a sign-in is gone. A provider that does not answer says nothing.
    func isRefused(_ record: AuthNRecord) async throws(EntitlementError) -> Bool {
        guard record.origin.isOfAccount else { return false }
        let session = try self.keptSession(of: record).session
        let isThere = try? await self.providers.ask(record.mvpd) { provider throws(ProviderError) in
            try await provider.hasAccount(of: session)
        }
        return isThere == false
    }

    /// How a sign-in ended whose record is gone.
    /// - Parameters:
    ///   - id: its record; `nil` if it is not known: the sign-in of the device at `mvpd` that ended last.
    ///   - device: its device; `nil` if it is not known.
    /// - Returns: `nil` if the store does not answer: the refusal itself must not fail for want of a reason.
    func ending(of id: AuthNID?, device: DeviceID?, mvpd: MVPDID) async -> SignInEnding? {
        let selection = EndedSelection(id: id, device: device.map { self.keys.deviceHash($0) }, mvpd: mvpd)
        guard let ended = try? await self.store.endedSignIns(selection, limit: 1) else { return nil }
        return ended.first?.end.reason ?? .signedOut
    }
}
