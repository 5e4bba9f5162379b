package import Clientless
package import Entitlement

extension RecordRow {
    /// Makes of a text what was checked before it was stored; when it no longer passes, the store is damaged.
    @inline(__always)
    private func checked<Value>(_ text: String, _ make: (String) -> Value?) throws(Failure) -> Value {
        guard let value = make(text) else { throw .nonsense("a column does not have its form") }
        return value
    }

    @inline(__always)
    private func checkedIfAny<Value>(
        _ text: String?, _ make: (String) -> Value?
    ) throws(Failure) -> Value? {
        guard let text else { return nil }
        return try self.checked(text, make)
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
    func code(_ column: some ColumnList) throws(Failure) -> RegistrationCodeText {
        try self.checked(self.text(column)) { RegistrationCodeText($0) }
    }

    @inline(__always)
    func codeIfAny(_ column: some ColumnList) throws(Failure) -> RegistrationCodeText? {
        try self.checkedIfAny(self.textIfAny(column)) { RegistrationCodeText($0) }
    }

    @inline(__always)
    func requestor(_ column: some ColumnList) throws(Failure) -> RequestorID {
        try self.checked(self.text(column)) { RequestorID($0) }
    }

    @inline(__always)
    func mvpd(_ column: some ColumnList) throws(Failure) -> MVPDID {
        try self.checked(self.text(column)) { MVPDID($0) }
    }

    @inline(__always)
    func mvpdIfAny(_ column: some ColumnList) throws(Failure) -> MVPDID? {
        try self.checkedIfAny(self.textIfAny(column)) { MVPDID($0) }
    }

    @inline(__always)
    func credential(_ column: some ColumnList) throws(Failure) -> BoxCredential? {
        try self.checkedIfAny(self.textIfAny(column)) { BoxCredential(text: $0) }
    }

    @inline(__always)
    func deviceID(_ column: some ColumnList) throws(Failure) -> DeviceID {
        try self.checked(self.text(column)) { DeviceID($0) }
    }

    @inline(__always)
    func device(_ column: some ColumnList) throws(Failure) -> DeviceHash {
        DeviceHash(bytes: try self.blob(column))
    }

    @inline(__always)
    func resource(_ column: some ColumnList) throws(Failure) -> Resource {
        try self.checked(self.text(column)) { Resource($0) }
    }

    /// A constant of the domain by its name.
    @inline(__always)
    func word<Word: RawRepresentable>(
        _ column: some ColumnList, _: Word.Type
    ) throws(Failure) -> Word where Word.RawValue == String {
        try self.checked(self.text(column)) { Word(rawValue: $0) }
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
    package mutating func code() throws(Failure) -> RegistrationCodeText {
        try self.checked(self.text()) { RegistrationCodeText($0) }
    }

    package mutating func requestor() throws(Failure) -> RequestorID {
        try self.checked(self.text()) { RequestorID($0) }
    }

    package mutating func resource() throws(Failure) -> Resource { try self.checked(self.text()) { Resource($0) } }

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

extension SQLValue {
    package static func textIfAny(_ value: String?) -> SQLValue {
        if let value { .text(value) } else { .null }
    }

    package static func blobIfAny(_ value: [UInt8]?) -> SQLValue {
        if let value { .blob(value) } else { .null }
    }

    package static func time(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }

    package static func timeIfAny(_ moment: Timestamp?) -> SQLValue {
        if let moment { .time(moment) } else { .null }
    }

    package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}
