import Entitlement

/// One row of the feed, but for its transaction, which the server knows.
struct ChangeNote {
    /// Which job of the transaction: each is a transaction of the feed.
    let part: Int
    let place: Int
    let change: StoreChange

    /// The statement that writes it.
    var insertion: SQL {
        """
        INSERT INTO latchkey.changes (part, place, \(ChangeColumn.self))
            VALUES (\(self.part), \(self.place), \(ChangeColumn.values(of: self.change)))
        """
    }
}

extension ChangeNotes {
    /// The changes in the order of the feed, as the part of a transaction that one job is.
    mutating func take(part: Int) -> [ChangeNote] {
        self.take().enumerated().map { ChangeNote(part: part, place: $0.offset, change: $0.element) }
    }
}
