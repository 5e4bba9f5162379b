import Clientless
import Entitlement

extension Row {
    /// Reads a value that was checked before it was stored; when it no longer passes, the file is damaged.
    private mutating func checked<Value>(_ make: (String) -> Value?) throws(PostgresFailure) -> Value {
        guard let value = make(try self.text()) else { throw .nonsense("a column does not have its form") }
        return value
    }

    mutating func code() throws(PostgresFailure) -> RegistrationCodeText {
        try self.checked { RegistrationCodeText($0) }
    }

    mutating func codeIfAny() throws(PostgresFailure) -> RegistrationCodeText? {
        guard let text = try self.textIfAny() else { return nil }
        guard let code = RegistrationCodeText(text) else { throw .nonsense("a code does not have its form") }
        return code
    }

    mutating func requestor() throws(PostgresFailure) -> RequestorID { try self.checked { RequestorID($0) } }

    mutating func mvpd() throws(PostgresFailure) -> MVPDID { try self.checked { MVPDID($0) } }

    mutating func mvpdIfAny() throws(PostgresFailure) -> MVPDID? {
        guard let text = try self.textIfAny() else { return nil }
        guard let mvpd = MVPDID(text) else { throw .nonsense("a provider ID does not have its form") }
        return mvpd
    }

    mutating func deviceID() throws(PostgresFailure) -> DeviceID { try self.checked { DeviceID($0) } }

    mutating func resource() throws(PostgresFailure) -> Resource { try self.checked { Resource($0) } }

    /// A constant of the domain by its name.
    mutating func word<Word: RawRepresentable>(_: Word.Type) throws(PostgresFailure) -> Word
    where Word.RawValue == String {
        try self.checked { Word(rawValue: $0) }
    }

    mutating func flag() throws(PostgresFailure) -> Bool { try self.integer() != 0 }

    mutating func timestamp() throws(PostgresFailure) -> Timestamp { Timestamp(milliseconds: try self.integer()) }

    mutating func timestampIfAny() throws(PostgresFailure) -> Timestamp? {
        try self.integerIfAny().map { Timestamp(milliseconds: $0) }
    }

    mutating func device() throws(PostgresFailure) -> DeviceHash { DeviceHash(bytes: try self.blob()) }
}

/// The values of the domain by the names of their columns.
extension Row {
    mutating func code(_ column: some ColumnList) throws(PostgresFailure) -> RegistrationCodeText {
        self.go(to: column)
        return try self.code()
    }

    mutating func codeIfAny(_ column: some ColumnList) throws(PostgresFailure) -> RegistrationCodeText? {
        self.go(to: column)
        return try self.codeIfAny()
    }

    mutating func requestor(_ column: some ColumnList) throws(PostgresFailure) -> RequestorID {
        self.go(to: column)
        return try self.requestor()
    }

    mutating func mvpd(_ column: some ColumnList) throws(PostgresFailure) -> MVPDID {
        self.go(to: column)
        return try self.mvpd()
    }

    mutating func mvpdIfAny(_ column: some ColumnList) throws(PostgresFailure) -> MVPDID? {
        self.go(to: column)
        return try self.mvpdIfAny()
    }

    mutating func deviceID(_ column: some ColumnList) throws(PostgresFailure) -> DeviceID {
        self.go(to: column)
        return try self.deviceID()
    }

    mutating func device(_ column: some ColumnList) throws(PostgresFailure) -> DeviceHash {
        self.go(to: column)
        return try self.device()
    }

    mutating func resource(_ column: some ColumnList) throws(PostgresFailure) -> Resource {
        self.go(to: column)
        return try self.resource()
    }

    mutating func word<Word: RawRepresentable>(
        _ column: some ColumnList, _ word: Word.Type
    ) throws(PostgresFailure) -> Word where Word.RawValue == String {
        self.go(to: column)
        return try self.word(word)
    }

    mutating func flag(_ column: some ColumnList) throws(PostgresFailure) -> Bool { try self.integer(column) != 0 }

    mutating func timestamp(_ column: some ColumnList) throws(PostgresFailure) -> Timestamp {
        Timestamp(milliseconds: try self.integer(column))
    }

    mutating func timestampIfAny(_ column: some ColumnList) throws(PostgresFailure) -> Timestamp? {
        self.go(to: column)
        return try self.timestampIfAny()
    }
}

extension SQLValue {
    static func time(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }

    static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }

    static func timeIfAny(_ moment: Timestamp?) -> SQLValue { .integerIfAny(moment?.milliseconds) }
}
