import Clientless

/// How a sign-in ended, as far as the box may be told.
package enum SignInEnding: String, Hashable, Sendable {
    /// A viewer signed out, on the box or elsewhere, or signed in anew.
    case signedOut = "signed_out"
    case endedByOperator = "ended_by_operator"
    /// The provider ended it.
    case refusedByProvider = "refused_by_provider"
}

extension SignIns {
    /// What the audit log calls the end of a sign-in by its provider.
    static let providerLogout = "provider.logout"
    /// How many of the newest changes by operators are looked at. A box asks soon after its sign-in ended, and hears
    /// nothing about one that ended long ago.
    private static let auditDepth = 200

    /// How a sign-in ended whose record is gone: by an operator or by the provider, if the audit log tells of it.
    /// - Parameters:
    ///   - id: its record; `nil` where it is not known.
    ///   - device: its device; `nil` where it is not known.
    /// - Returns: `nil` where an operator may have ended it among others, and where the store does not answer: the
    ///   refusal itself must not fail for want of a reason.
    func ending(
        of id: AuthNID?, device: DeviceID?, mvpd: MVPDID, requestor: RequestorID
    ) async -> SignInEnding? {
        guard let entries = try? await self.store.auditEntries(limit: Self.auditDepth) else { return nil }
        let own = [
            id.map { Operations.auditName(of: $0) },
            device.map { Operations.auditName(of: self.keys.deviceHash($0)) },
        ].compactMap(\.self)
        var isUncertain = entries.count == Self.auditDepth
        for entry in entries {
            switch entry.action {
            case "record.delete", "records.delete":
                if own.contains(entry.subject) { return .endedByOperator }
            case Self.providerLogout:
                let names = entry.subject.split(separator: ", ").map(String.init)
                if names.contains(where: own.contains) { return .refusedByProvider }
            case "sign-ins.end":
                switch Self.selection(entry.subject, mayHold: mvpd, requestor) {
                case .all: return .endedByOperator
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
    private static func selection(_ name: String, mayHold mvpd: MVPDID, _ requestor: RequestorID) -> Share {
        var share = Share.all
        for words in name.split(separator: ", ") where words != "all" {
            switch words {
            case "provider \(mvpd)", "requestor \(requestor)": break
            case let words where words.hasPrefix("provider ") || words.hasPrefix("requestor "): return .none
            default: share = .some
            }
        }
        return share
    }
}
