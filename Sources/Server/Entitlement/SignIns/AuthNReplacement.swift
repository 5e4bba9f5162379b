package import Clientless

// The sign-ins of a device that a new one ends. A store asks for them in the transaction that keeps the new one.
extension AuthNRecord {
    /// The most contexts of a device that hold sign-ins. Their texts are a box's to choose, so without a bound one
    /// device could fill the store.
    private static let contextsPerDevice = 16
    /// The most sign-ins of a device: more than requestors that keep theirs to themselves can need.
    package static let recordsPerDevice = 256

    /// The records that keeping this one ends, of those the device holds.
    ///
    /// A device context has one sign-in, whatever the provider: "a new successful login overwrites the previous token"
    /// (rest-v1 6.2). Besides, a record with the same key always ends, and the oldest records end that are beyond the
    /// bounds. A record with the same ID is not among them.
    /// - Parameter held: all records of the device, newest first.
    package func ended(among held: [AuthNRecord]) -> [AuthNRecord] {
        var ended: [AuthNRecord] = []
        var contexts: Set<DeviceContext> = [self.context]
        var kept = 1
        for record in held where record.id != self.id {
            let isBeyond =
                kept >= Self.recordsPerDevice
                || (!contexts.contains(record.context) && contexts.count >= Self.contextsPerDevice)
            if isBeyond || record.key == self.key || self.overwrites(record) {
                ended.append(record)
            } else {
                contexts.insert(record.context)
                kept += 1
            }
        }
        return ended
    }

    private func overwrites(_ held: AuthNRecord) -> Bool {
        guard held.context == self.context, held.client == self.client else { return false }
        // A requestor's own sign-ins follow one another, shared or not: else the older would come back when the newer
        // ends. A shared sign-in replaces shared ones; one that another requestor keeps to itself is not touched.
        guard held.requestor == self.requestor || (!held.isExclusive && !self.isExclusive) else { return false }
        switch (self.origin, held.origin) {
        case (.regular, .temporaryPass), (.platform, .temporaryPass):
            // "A later real sign-in overwrites the TempPass AuthN token" (rest-v1 20.1).
            return held.created <= self.created
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
package struct AuthNSelection: Hashable, Sendable, Codable {
    package var devices: ClosedRange<DeviceHash>?
    package var mvpd: MVPDID?
    package var userID: String?
    package var requestor: RequestorID?
    package var code: RegistrationCodeText?
    package var providerSession: [UInt8]?
    /// Sign-ins made at this moment or later.
    package var since: Timestamp?
    /// Sign-ins made before this moment.
    package var before: Timestamp?
    /// Sign-ins that end after this moment.
    package var endingAfter: Timestamp?

    /// Every sign-in, until a field is set.
    package static let all = AuthNSelection()

    package func selects(_ record: AuthNRecord) -> Bool {
        guard self.devices?.contains(record.context.device) ?? true else { return false }
        return (self.mvpd.map { $0 == record.mvpd } ?? true) && (self.userID.map { $0 == record.userID } ?? true)
            && (self.requestor.map { $0 == record.requestor } ?? true) && (self.code.map { $0 == record.code } ?? true)
            && (self.providerSession.map { $0 == record.providerSession } ?? true)
            && (self.since.map { $0 <= record.created } ?? true) && (self.before.map { record.created < $0 } ?? true)
            && (self.endingAfter.map { $0 < record.expires } ?? true)
    }

    /// The same of a sign-in that ended, as far as that is kept.
    package func selects(ended: EndedSignIn) -> Bool {
        (self.mvpd.map { $0 == ended.mvpd } ?? true) && (self.userID.map { $0 == ended.userID } ?? true)
            && (self.requestor.map { $0 == ended.requestor } ?? true) && (self.devices?.contains(ended.device) ?? true)
    }
}
