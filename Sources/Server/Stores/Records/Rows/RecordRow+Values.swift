package import Clientless
package import Entitlement

extension RecordRow {
    /// Makes of a text what was checked before it was stored; when it no longer passes, the store is damaged.
    @inline(__always)
    private func checked<Value>(_ value: Value?) throws(Failure) -> Value {
        guard let value else { throw .nonsense("a column does not have its form") }
        return value
    }

    @inline(__always)
    private func timestampIfAny(at place: Int) throws(Failure) -> Timestamp? {
        guard let milliseconds = try self.integerIfAny(at: place) else { return nil }
        return Timestamp(milliseconds: milliseconds)
    }
}

/// The values of the domain by the names of their columns.
extension RecordRow {
    @inline(__always)
    func value<Value: SQLText>(_ column: some ColumnList) throws(Failure) -> Value {
        try self.checked(Value(self.text(column)))
    }

    @inline(__always)
    func valueIfAny<Value: SQLText>(_ column: some ColumnList) throws(Failure) -> Value? {
        guard let text = try self.textIfAny(column) else { return nil }
        return try self.checked(Value(text))
    }

    @inline(__always)
    func device(_ column: some ColumnList) throws(Failure) -> DeviceHash {
        DeviceHash(bytes: try self.blob(column))
    }

    /// A constant of the domain by its name.
    @inline(__always)
    func word<Word: RawRepresentable>(_ column: some ColumnList) throws(Failure) -> Word where Word.RawValue == String {
        try self.checked(Word(rawValue: self.text(column)))
    }

    @inline(__always)
    func flag(_ column: some ColumnList) throws(Failure) -> Bool { try self.integer(column) != 0 }

    @inline(__always)
    func timestamp(_ column: some ColumnList) throws(Failure) -> Timestamp {
        Timestamp(milliseconds: try self.integer(column))
    }

    @inline(__always)
    func timestampIfAny(_ column: some ColumnList) throws(Failure) -> Timestamp? {
        try self.timestampIfAny(at: column.place)
    }
}

/// The values of the domain from the left.
extension RecordRow {
    package mutating func value<Value: SQLText>() throws(Failure) -> Value { try self.checked(Value(self.text())) }

    package mutating func device() throws(Failure) -> DeviceHash { DeviceHash(bytes: try self.blob()) }

    package mutating func flag() throws(Failure) -> Bool { try self.integer() != 0 }

    package mutating func timestamp() throws(Failure) -> Timestamp { Timestamp(milliseconds: try self.integer()) }

    package mutating func timestampIfAny() throws(Failure) -> Timestamp? {
        try self.timestampIfAny(at: self.advance())
    }

    /// A value as it is carried to another store.
    package mutating func storedValue(_ kind: StoredTable.Column.Kind) throws(Failure) -> StoredValue {
        switch kind {
        case .integer: try self.integerIfAny().map { .integer($0) } ?? .null
        case .text: try self.textIfAny().map { .text($0) } ?? .null
        case .blob: try self.blobIfAny().map { .blob($0) } ?? .null
        }
    }
}

/// A value bound to a parameter; nothing else ever reaches the text of a statement.
package typealias SQLValue = StoredValue
