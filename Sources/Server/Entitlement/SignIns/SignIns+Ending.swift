import Clientless

/// How a sign-in ended, as far as the box may be told.
package enum SignInEnding: String, Hashable, Sendable {
    /// A viewer signed out, on the box or elsewhere, or signed in anew.
    case signedOut = "signed_out"
    /// The viewer signed the box out from another of their boxes.
    case signedOutElsewhere = "signed_out_elsewhere"
    case endedByOperator = "ended_by_operator"
    /// The provider no longer vouches for the viewer, such as one whose account is gone.
    case refusedByProvider = "refused_by_provider"
}

extension SignIns {
    /// What the audit log calls a sign-in that ended because the provider refused its viewer.
    private static let refusal = "sign-in.refused"
    /// What the audit log calls the end of a sign-in by its provider.
    static let providerLogout = "provider.logout"

    /// How many of the newest entries of the audit log are looked at. A box asks soon after its sign-in ended, and hears
    /// nothing about one that ended long ago.
    private static let auditDepth = 200

    /// Ends a sign-in whose viewer the provider no longer vouches for. Idempotent.
    ///
    /// The audit log keeps the reason, so that each box that held the sign-in can be told, on every node.
    /// - Returns: the error for the box that found out.
    /// - Throws: `storeUnavailable`.
    func endRefused(_ record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> EntitlementError {
        let entry = AuditEntry(
            time: now, actor: "provider \(record.mvpd)", action: Self.refusal,
            subject: Operations.auditName(of: record.id))
        let gone = try await stored(await self.store.deleteAuthentication(record.id, audit: entry))
        if gone != nil { self.memory.announce(device: record.context.device) }
        var error = EntitlementError(.authenticationRevoked, detail: "the provider no longer knows the viewer")
        error.ending = .refusedByProvider
        return error
    }

    /// Whether the provider says that the viewer of a sign-in is gone. A provider that does not answer says nothing.
    func isRefused(_ record: AuthNRecord) async throws(EntitlementError) -> Bool {
        guard record.origin == .regular || record.origin == .platform else { return false }
        let session = try self.keptSession(of: record).session
        let isThere = try? await self.providers.ask(record.mvpd) { provider throws(ProviderError) in
            try await provider.hasAccount(of: session)
        }
        return isThere == false
    }

    /// How a sign-in ended whose record is gone: by an operator, the provider or another box, if the audit log tells of
    /// it.
    /// - Parameters:
    ///   - id: its record; `nil` where it is not known.
    ///   - userID: its viewer (``AuthNRecord/userID``); `nil` where it is not known.
    ///   - device: its device; `nil` where it is not known.
    /// - Returns: `nil` where an operator may have ended it among others, and where the store does not answer: the
    ///   refusal itself must not fail for want of a reason.
    func ending(
        of id: AuthNID?, userID: String?, device: DeviceID?, mvpd: MVPDID, requestor: RequestorID
    ) async -> SignInEnding? {
        guard let entries = try? await self.store.auditEntries(limit: Self.auditDepth) else { return nil }
        let own = [
            id.map { Operations.auditName(of: $0) },
            device.map { Operations.auditName(of: self.keys.deviceHash($0)) },
        ].compactMap(\.self)
        let removals = entries.filter { $0.action == "user.remove" && $0.subject.hasPrefix("user \(mvpd) ") }
        var isUncertain = entries.count == Self.auditDepth
        for entry in entries {
            switch entry.action {
            case Boxes.signOutAction:
                if own.contains(entry.subject) { return .signedOutElsewhere }
            case "record.delete", "records.delete":
                if own.contains(entry.subject) { return .endedByOperator }
            case Self.refusal:
                if own.contains(entry.subject) { return .refusedByProvider }
                // A document of a decision does not name its sign-in.
                if id == nil { isUncertain = true }
            case Self.providerLogout:
                let names = entry.subject.split(separator: ", ").map(String.init)
                if names.contains(where: own.contains) { return .refusedByProvider }
            case "sign-ins.end":
                switch Self.selection(entry.subject, mayHold: mvpd, requestor, userID) {
                case .all:
                    // The same command erased the account.
                    let isRemoval = removals.contains { $0.time == entry.time && $0.actor == entry.actor }
                    return isRemoval ? .refusedByProvider : .endedByOperator
                case .some: isUncertain = true
                case .none: break
                }
            default: break
            }
        }
        return isUncertain ? nil : .signedOut
    }

    private enum Share { case all, some, none }

    /// How many of the sign-ins of `mvpd` and `requestor` are in a selection, by its name in the audit log.
    private static func selection(
        _ name: String, mayHold mvpd: MVPDID, _ requestor: RequestorID, _ userID: String?
    ) -> Share {
        let viewer = userID.map { "viewer \(SignInSelection.auditName(ofViewer: $0))" }
        var share = Share.all
        for words in name.split(separator: ", ") where words != "all" {
            switch words {
            case "provider \(mvpd)", "requestor \(requestor)": break
            case let words where words.hasPrefix("viewer ") && viewer != nil:
                if words != viewer ?? "" { return .none }
            case let words where words.hasPrefix("provider ") || words.hasPrefix("requestor "): return .none
            default: share = .some
            }
        }
        return share
    }
}
