import Clientless

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
            subject: Operations.auditName(of: record.id))
        let gone = try await stored(
            await self.store.deleteAuthentication(
                record.id, as: SignInEnd(at: now, by: entry.actor, .refusedByProvider), audit: entry))
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
        var selection = EndedSelection()
        selection.id = id
        selection.device = device.map { self.keys.deviceHash($0) }
        selection.mvpd = mvpd
        guard let ended = try? await self.store.endedSignIns(selection, limit: 1) else { return nil }
        return ended.first?.end.reason ?? .signedOut
    }
}
