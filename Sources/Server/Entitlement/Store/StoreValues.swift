package import Clientless

package enum CodeInsertion: Hashable, Sendable {
    /// Kept; these older codes of the same device were cancelled for it.
    case inserted(cancelled: [RegistrationCodeText])
    /// The text is taken. No code was kept; draw another.
    case taken
}

package enum TrialUse: Hashable, Sendable {
    /// The trial and the permit were kept.
    case kept
    /// The trial changed since it was read, or another one has an identity of this new one. The trial was not kept.
    case outdated
    /// The sign-in that the permit belongs to is gone. The permit was not kept.
    case signedOut
}

/// A place in a store's feed of changes. Only the store that gave it out knows what is before and after it.
package struct ChangePosition: Hashable, Sendable {
    /// At most 64.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// The changes, for memory of earlier answers. New codes are not told of: no one can have asked before.
package enum StoreChange: Hashable, Sendable {
    /// The sign-ins of a device, or a decision that was erased.
    case device(DeviceHash)
    case code(RegistrationCodeText)
    /// A registered client was erased.
    case client(String)
    case credentials
    case degradation
    /// Accounts were changed or erased.
    case accounts
}

/// One look into the feed of changes.
package enum ChangePage: Hashable, Sendable {
    /// The changes after the position that was asked about, up to `position`. When `hasMore`, the next page has more.
    case changes([StoreChange], position: ChangePosition, hasMore: Bool)
    /// The store no longer knows what changed since the position, or never gave it out in this life of its data. The
    /// reader forgets everything it remembers, and goes on from `position`.
    case gap(position: ChangePosition)
    /// There is nothing to tell in order, and a change has waited for over one and a half seconds, as an older
    /// transaction of another program is under way. `newest` are those that wait, at most `limit`, each with its place:
    /// the reader goes by them as well as it can, and meets them again at its position.
    case heldUp(newest: [HeldUpChange])
}

/// A change that is kept, and not told of in order yet.
package struct HeldUpChange: Hashable, Sendable {
    package let place: [Int64]
    package let change: StoreChange

    package init(place: [Int64], change: StoreChange) {
        self.place = place
        self.change = change
    }
}

/// How long what is over stays in a store. The domain gives it to every purge.
package struct StoreRetention: Hashable, Sendable {
    /// Codes after their time is over; one that ended earlier stays as long.
    package var codes: Duration = .seconds(24 * 3600)
    /// Sign-ins after their expiry, so that "expired" can be told from "never" (rest-v1 9), and what stays of those that
    /// were ended.
    package var authentications: Duration = .seconds(30 * 24 * 3600)
    /// Permits after their expiry, so that a permit that ran out can be told from one that never was.
    package var authorizations: Duration = .seconds(24 * 3600)
    /// Degradation rules after their end, for readers of the history (rest-v1 25).
    package var rules: Duration = .seconds(30 * 24 * 3600)
    /// Registered clients after their last use.
    package var clients: Duration = .seconds(90 * 24 * 3600)
    /// Changes in the feed. A reader that falls behind further meets a gap.
    package var changes: Duration = .seconds(3600)
    /// The newest entries of the audit log.
    package var auditEntries = 100_000
    /// The newest counts of reports, by when their first event came.
    package var reportCounts = 500_000
    /// Everything that has an end stays at least this long after it, and so does the raw data of codes: by so much the
    /// clock may be ahead.
    package var leastStay: Duration

    package init(leastStay: Duration = .zero) { self.leastStay = leastStay }
}

/// How many rows a purge erased; whether no kind of row reached the limit, so that nothing is left to do now; and whether
/// nothing was erased because another node purges, or its transaction goes on at the store though the node gave it up.
package typealias PurgeOutcome = (erased: Int, isComplete: Bool, isElsewhere: Bool)

/// How many clients of one application may register since a moment, those of that moment among them (rest-v1 10.2): the
/// software statement is all that a registration takes.
package typealias ClientQuota = (number: Int, since: Timestamp)

/// How the writer and the readers of one process fared since it started.
package struct StoreStatistics: Hashable, Sendable {
    /// Callers' transactions that were put in line, and not refused.
    package var accepted = 0
    package var commits = 0
    /// Callers' transactions in them; divided by `commits`, the mean size of a batch.
    package var transactions = 0
    package var largestBatch = 0
    /// Callers' reads that were put in line, and not refused; one for each reading operation of the store.
    package var reads = 0

    package init() {}
}

/// A store could not do what was asked; nothing of it was done.
package struct StoreError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// Not reachable, busy for too long, or closed.
        case unavailable
        case full
        /// The folder or file may not be written.
        case readOnly
        /// Its file was deleted, or another file took its name, while it was open.
        case moved
        /// The read value makes no sense.
        case damaged
        /// It is a copy that was put beside the write-ahead log of another store.
        case foreignLog
        case newerSchema
        /// An older program wrote it, and it was opened without leave to change that.
        case olderSchema
        /// The ID of a new record is taken.
        case conflict

        package var description: String { self.rawValue }

        /// Whether the store may still answer reads, and take writes again without a restart: full disk, read-only
        /// file, lock held for too long. A node may hold in its memory meanwhile what fits there, such as nonces.
        package var isPassing: Bool {
            switch self {
            case .unavailable, .full, .readOnly, .moved: true
            case .damaged, .foreignLog, .newerSchema, .olderSchema, .conflict: false
            }
        }
    }

    package let code: Code
    /// For operators; never sent.
    package let detail: String

    package init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "store: \(self.code)" }
    package var debugDescription: String { "store: \(self.code): \(self.detail)" }
}
