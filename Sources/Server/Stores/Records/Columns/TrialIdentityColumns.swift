import Clientless
package import Entitlement

/// How an identity becomes the columns `kind` and `hash` of `trial_identities`, and they an identity.
package enum TrialIdentityColumns {
    package static func values(of identity: TrialIdentity) -> [SQLValue] {
        switch identity {
        case .device(let device): [.integer(0), .blob(device.bytes)]
        case .person(let hash): [.integer(1), .blob(hash)]
        }
    }

    package static func identity<Row: RecordRow>(
        from row: inout Row
    ) throws(Row.Failure) -> TrialIdentity {
        switch (try row.integer(), try row.blob()) {
        case (0, let device): return .device(DeviceHash(bytes: device))
        case (1, let hash): return .person(hash)
        default: throw .nonsense("an identity of no known kind")
        }
    }
}

/// The change of a table of identities by a trial. Only a record that leaves out or moves stored ones has all written
/// anew.
package struct TrialIdentityChange {
    /// Whether those that are stored stay.
    package let isExtension: Bool
    /// A row for each identity that is to be written: requestor, provider, kind, hash, trial and place.
    package let rows: [[SQLValue]]

    /// - Parameter stored: what the table has of the trial, in the order of the places.
    package init(to record: TrialRecord, from stored: [(place: Int64, identity: TrialIdentity)]) {
        self.isExtension = record.identities.starts(with: stored.map(\.identity))
        let added = self.isExtension ? record.identities.dropFirst(stored.count) : record.identities[...]
        let first = self.isExtension ? (stored.last?.place ?? -1) + 1 : 0
        self.rows = added.enumerated().map { step, identity in
            [.text(record.requestor.text), .text(record.mvpd.text)] + TrialIdentityColumns.values(of: identity)
                + [.text(record.id), .integer(first + Int64(step))]
        }
    }
}
