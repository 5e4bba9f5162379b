package import Clientless

/// Which sign-ins of a device a new one ends. A store asks it in the transaction that keeps the new one.
package struct AuthNReplacement: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        /// A device context has one sign-in, whatever the provider: "a new successful login overwrites the previous
        /// token" (rest-v1 6.2).
        case context
        /// A device context has one sign-in for each provider.
        case provider
    }

    package var rule: Rule
    /// The most contexts of a device that hold sign-ins. Their texts are a box's to choose, so without a bound one
    /// device could fill the store.
    package var contextsPerDevice = 16
    /// The most sign-ins of a device: more than requestors that keep theirs to themselves can need.
    package var recordsPerDevice = 256

    package init(_ rule: Rule) {
        self.rule = rule
    }

    /// The records that keeping `new` ends, of those the device holds.
    ///
    /// Besides what the rule says, a record with the key of `new` always ends, and the oldest records end that are
    /// beyond the bounds. A record with the ID of `new` is not among them.
    /// - Parameter held: all records of the device, newest first.
    package func ended(by new: AuthNRecord, among held: [AuthNRecord]) -> [AuthNRecord] {
        var ended: [AuthNRecord] = []
        var contexts: Set<DeviceContext> = [new.context]
        var kept = 1
        for record in held where record.id != new.id {
            let isBeyond =
                kept >= self.recordsPerDevice
                || (!contexts.contains(record.context) && contexts.count >= self.contextsPerDevice)
            if isBeyond || record.key == new.key || self.overwrites(record, by: new) {
                ended.append(record)
            } else {
                contexts.insert(record.context)
                kept += 1
            }
        }
        return ended
    }

    private func overwrites(_ held: AuthNRecord, by new: AuthNRecord) -> Bool {
        guard self.rule == .context || held.mvpd == new.mvpd else { return false }
        guard held.context == new.context, held.client == new.client else { return false }
        // A requestor's own sign-ins follow one another, shared or not: else the older would come back when the newer
        // ends. A shared sign-in replaces shared ones; one that another requestor keeps to itself is not touched.
        guard held.requestor == new.requestor || (!held.isExclusive && !new.isExclusive) else { return false }
        switch (new.origin, held.origin) {
        case (.regular, .temporaryPass), (.platform, .temporaryPass):
            // "A later real sign-in overwrites the TempPass AuthN token" (rest-v1 20.1).
            return held.created <= new.created
        case (.degraded, .temporaryPass):
            // The trial goes on when the rule that skipped the login is over.
            return false
        case (.temporaryPass, .temporaryPass):
            return true
        case (.temporaryPass, .regular), (.temporaryPass, .platform), (.temporaryPass, .degraded):
            // Trying never ends what a viewer signed in for.
            return false
        case (.regular, .regular), (.regular, .platform), (.regular, .degraded), (.platform, .regular),
            (.platform, .platform), (.platform, .degraded), (.degraded, .regular), (.degraded, .platform),
            (.degraded, .degraded):
            return true
        }
    }
}

/// Why a set of sign-ins is looked for or ended: all that is given must hold.
package struct AuthNSelection: Hashable, Sendable {
    package var mvpd: MVPDID?
    /// ``AuthNRecord/userID``.
    package var userID: String?
    package var requestor: RequestorID?
    package var code: RegistrationCodeText?
    /// ``AuthNRecord/providerSession``.
    package var providerSession: [UInt8]?
    /// Sign-ins made at this moment or later.
    package var since: Timestamp?
    /// Sign-ins made before this moment.
    package var before: Timestamp?
    /// Sign-ins that end after this moment.
    package var endingAfter: Timestamp?

    /// Every sign-in, until a field is set.
    package static let all = AuthNSelection()

    package init() {}

    package func selects(_ record: AuthNRecord) -> Bool {
        (self.mvpd.map { $0 == record.mvpd } ?? true) && (self.userID.map { $0 == record.userID } ?? true)
            && (self.requestor.map { $0 == record.requestor } ?? true)
            && (self.code.map { $0 == record.code } ?? true)
            && (self.providerSession.map { $0 == record.providerSession } ?? true)
            && (self.since.map { $0 <= record.created } ?? true)
            && (self.before.map { record.created < $0 } ?? true)
            && (self.endingAfter.map { $0 < record.expires } ?? true)
    }
}
