import Entitlement
import StoreRecords

/// One row of the feed, but for its transaction, which the server knows.
struct ChangeNote {
    /// Which job of the transaction: each is a transaction of the feed.
    let part: Int
    let place: Int
    let change: StoreChange

    /// The values of ``ChangeColumn/insertion``.
    var values: [SQLValue] {
        [.integer(Int64(self.part)), .integer(Int64(self.place))] + ChangeColumn.values(of: self.change)
    }
}

extension ChangeColumn {
    static let insertion = "INSERT INTO latchkey.changes (part, place, \(names)) VALUES ($1, $2, $3, $4, $5, $6)"
}

extension ChangeNotes {
    /// The changes in the order of the feed, as the part of a transaction that one job is.
    mutating func take(part: Int) -> [ChangeNote] {
        self.take().enumerated().map { ChangeNote(part: part, place: $0.offset, change: $0.element) }
    }
}

extension Session {
    /// Notes a change for the feed, in the transaction under way.
    func note(_ change: StoreChange) {
        self.notes.add(change)
    }
}
