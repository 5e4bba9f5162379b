import Clientless
import CommandLineTool
import Entitlement

/// The credentials that a restored store lets in again: an operator compares it with what was revoked since the backup.
enum RestoredInventory {
    private static let maximumListed = 100
    private static let page = 1000

    /// - Parameter moment: when the backup was made.
    /// - Parameter hasList: whether what a list names was ended again.
    static func lines(
        of store: any Store, since moment: String, hasList: Bool, now: Timestamp
    ) async throws(StoreError) -> [String] {
        let (pairs, applications) = try await store.credentials()
        func isOver(_ ends: Timestamp?) -> Bool { ends.map { $0 <= now } ?? false }
        let kinds = [
            (
                pairs.filter { !isOver($0.ends) }.map {
                    "key pair \($0.publicKey) of \($0.requestors.map(\.text).joined(separator: ", "))"
                }, "latchkeyd keys list"
            ),
            (
                applications.filter { !isOver($0.ends) }.map {
                    "application \($0.softwareID), \(terminalSafe($0.name, limit: 80))"
                }, "latchkeyd keys application list"
            ),
            (
                try await store.setUpCodes(at: now).map { "\($0.auditName) for requestor \($0.requestor)" },
                "latchkeyd keys setup-code list"
            ),
            (
                try await store.accounts().map { "viewer \(terminalSafe($0.name)) of \($0.mvpd)" },
                "latchkeyd user list"
            ),
            (
                try await store.degradationRules(endingAfter: now).map {
                    "degradation rule \($0.id), \($0.kind.rawValue) of \($0.requestor)"
                }, "latchkeyd degradation list"
            ),
        ]
        let others = hasList ? " and is not in the list" : ""
        var lines = [
            "Everything that was revoked, removed or signed out after \(moment)\(others) counts again; the backup cannot know of it."
        ]
        let ended = pairs.count { isOver($0.ends) } + applications.count { isOver($0.ends) }
        if ended > 0 { lines.append("Key pairs and applications that ended before and stay so: \(ended).") }
        lines.append("In force are:")
        for (entries, command) in kinds {
            lines += entries.prefix(Self.maximumListed).map { "  \($0)" }
            let more = entries.count - Self.maximumListed
            if more > 0 { lines.append("  and \(more) more, shown by '\(command)'") }
        }
        let signIns = try await Self.signIns(of: store, now: now)
        lines.append(signIns == 1 ? "  1 sign-in" : "  \(signIns) sign-ins")
        lines += [
            "Passwords and channels are the backup's; change them again: 'latchkeyd user passwd', 'user channels'.",
            "Revoke again what was revoked since: 'latchkeyd keys revoke', 'keys application revoke', "
                + "'keys client revoke', 'keys setup-code revoke', 'user remove', 'sign-ins end'.",
        ]
        if !hasList {
            lines.append(
                "The list of it is beside the old store, with -revoked behind the store's name: see --revoked.")
        }
        return lines
    }

    private static func signIns(of store: any Store, now: Timestamp) async throws(StoreError) -> Int {
        var (count, last): (Int, AuthNID?) = (0, nil)
        while true {
            let page = try await store.authentications(.all, after: last, limit: Self.page)
            count += page.count { $0.isCurrent(at: now) }
            guard page.count == Self.page, let next = page.last?.id else { return count }
            last = next
        }
    }
}
