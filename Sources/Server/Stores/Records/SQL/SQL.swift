package import Clientless
package import Entitlement

/// One statement and its values, made by interpolation: a value becomes a parameter, and nothing else reaches the text but
/// names of columns and what is marked `raw`.
///
/// The text is the same for every store. Tables are in the schema `latchkey`; parameters are numbered, as `$1`.
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    package private(set) var text: String
    package private(set) var values: [SQLValue]

    package init(stringLiteral text: String) {
        self.text = text
        self.values = []
    }

    /// A statement as text, a constant of this program.
    package init(raw text: String, _ values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    package init(stringInterpolation parts: StringInterpolation) {
        self.text = String(decoding: parts.text, as: UTF8.self)
        self.values = parts.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        /// As bytes: statements are made for each use, and of many small pieces.
        fileprivate var text: [UInt8] = []
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            self.text.reserveCapacity(literalCapacity + interpolationCount * 128)
            self.values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { self.text += literal.utf8 }

        package mutating func appendInterpolation(_ value: SQLValue) {
            self.values.append(value)
            self.text.append(UInt8(ascii: "$"))
            let number = self.values.count
            if number >= 100 {
                self.text += String(number).utf8
            } else {
                if number >= 10 { self.text.append(UInt8(ascii: "0") + UInt8(number / 10)) }
                self.text.append(UInt8(ascii: "0") + UInt8(number % 10))
            }
        }

        package mutating func appendInterpolation(_ value: some SQLConvertible) {
            self.appendInterpolation(value.sqlValue)
        }

        package mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            self.appendInterpolation(value?.sqlValue ?? .null)
        }

        /// Several values, one parameter for each, as `$1, $2`.
        package mutating func appendInterpolation(_ values: [SQLValue]) {
            self.values.reserveCapacity(self.values.count + values.count)
            for (place, value) in values.enumerated() {
                if place > 0 {
                    self.text.append(UInt8(ascii: ","))
                    self.text.append(UInt8(ascii: " "))
                }
                self.appendInterpolation(value)
            }
        }

        package mutating func appendInterpolation(_ columns: (some ColumnList).Type) { self.text += columns.names.utf8 }

        /// A part of a statement with its values; their parameters are numbered on.
        package mutating func appendInterpolation(_ part: SQL) {
            let pieces = part.text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
            self.text += pieces[0]
            for (value, piece) in zip(part.values, pieces.dropFirst()) {
                self.appendInterpolation(value)
                self.text += piece.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        }

        /// Text that is no value: a constant of this program.
        package mutating func appendInterpolation(raw text: String) { self.text += text.utf8 }
    }
}

extension SQL {
    /// Keeps a list of a record in a table of its own.
    /// - Parameters:
    ///   - table: with its columns: the record's key, the place and the text of each.
    ///   - key: of the record.
    static func list(_ texts: [String], in table: String, of key: String...) -> [SQL] {
        texts.enumerated().map { place, text in
            let values: [SQLValue] = key.map { .text($0) } + [.integer(Int64(place)), .text(text)]
            return "INSERT INTO latchkey.\(raw: table) VALUES (\(values))"
        }
    }
}

/// A value bound to a parameter; nothing else ever reaches the text of a statement.
package typealias SQLValue = StoredValue

/// A value that a statement takes, and that a column of one kind holds.
package protocol SQLConvertible: SendableMetatype {
    static var kind: StoredTable.Kind { get }
    var sqlValue: SQLValue { get }
    /// - Returns: `nil` for NULL.
    static func read<Row: RecordRow>(_ row: Row, at place: Int) throws(Row.Failure) -> Self?
}

package protocol SQLInteger: SQLConvertible {
    /// - Returns: `nil` for a number that is none of its values.
    init?(number: Int64)
}

package protocol SQLBlob: SQLConvertible {
    init(bytes: [UInt8])
    var bytes: [UInt8] { get }
}

/// A value that is stored as a text of its form.
package protocol SQLText: SQLConvertible {
    /// - Returns: `nil` for a text without the form.
    init?(_ text: String)
    var text: String { get }
}

extension SQLInteger {
    package static var kind: StoredTable.Kind { .integer }

    @inline(__always)
    package static func read<Row: RecordRow>(_ row: Row, at place: Int) throws(Row.Failure) -> Self? {
        guard let number = try row.integerIfAny(at: place) else { return nil }
        guard let value = Self(number: number) else { throw .nonsense("a column does not have its form") }
        return value
    }
}

extension SQLBlob {
    package static var kind: StoredTable.Kind { .blob }
    package var sqlValue: SQLValue { .blob(self.bytes) }

    @inline(__always)
    package static func read<Row: RecordRow>(_ row: Row, at place: Int) throws(Row.Failure) -> Self? {
        guard let bytes = try row.blobIfAny(at: place) else { return nil }
        return Self(bytes: bytes)
    }
}

extension SQLText {
    package static var kind: StoredTable.Kind { .text }
    package var sqlValue: SQLValue { .text(self.text) }

    @inline(__always)
    package static func read<Row: RecordRow>(_ row: Row, at place: Int) throws(Row.Failure) -> Self? {
        guard let text = try row.textIfAny(at: place) else { return nil }
        guard let value = Self(text) else { throw .nonsense("a column does not have its form") }
        return value
    }
}

extension SQLInteger where Self: FixedWidthInteger {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
    package init?(number: Int64) { self.init(exactly: number) }
}

extension SQLText where Self: RawRepresentable, RawValue == String {
    package init?(_ text: String) { self.init(rawValue: text) }
    package var text: String { self.rawValue }
}

extension Bool: SQLInteger {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    package init(number: Int64) { self = number != 0 }
}

extension Timestamp: SQLInteger {
    package var sqlValue: SQLValue { .integer(self.milliseconds) }
    package init(number: Int64) { self.init(milliseconds: number) }
}

extension [UInt8]: SQLConvertible, SQLBlob {
    package var bytes: [UInt8] { self }
    package init(bytes: [UInt8]) { self = bytes }
}

extension Int64: SQLInteger {}
extension Int: SQLInteger {}
extension UInt32: SQLInteger {}
extension AttemptID: SQLBlob {}
extension DeviceHash: SQLBlob {}
extension String: SQLText { package var text: String { self } }
extension RegistrationCodeText: SQLText {}
extension RequestorID: SQLText {}
extension MVPDID: SQLText {}
extension DeviceID: SQLText {}
extension Resource: SQLText {}
extension AuthNID: SQLText { package init?(_ text: String) { self.init(text: text) } }
extension BoxCredential: SQLText { package init?(_ text: String) { self.init(text: text) } }
extension AuthNOrigin: SQLText {}
extension AuthZOrigin: SQLText {}
extension SignInEnding: SQLText {}
extension DegradationRule.Kind: SQLText {}
extension BoxStep.Kind: SQLText {}
