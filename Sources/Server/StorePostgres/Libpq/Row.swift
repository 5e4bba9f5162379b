/// One row of an answer, read from the left or by the names of a ``ColumnList``.
struct Row {
    private let answer: Answer
    private let row: Int
    private var next = 0

    init(_ row: Int, of answer: Answer) {
        self.answer = answer
        self.row = row
    }

    /// Goes to a column; what is read next is its value.
    mutating func go<Column: ColumnList>(to column: Column) {
        self.next = column.place
    }

    mutating func blobIfAny() throws(PostgresFailure) -> [UInt8]? {
        defer { self.next += 1 }
        return self.answer.result.value(row: self.row, column: self.next)
    }

    mutating func integerIfAny() throws(PostgresFailure) -> Int64? {
        guard let bytes = try self.blobIfAny() else { return nil }
        guard bytes.count == 8 else { throw .nonsense("column \(self.next - 1) is not a bigint") }
        let value: Int64 = bytes.reduce(0) { $0 << 8 | Int64($1) }
        return value
    }

    mutating func textIfAny() throws(PostgresFailure) -> String? {
        guard let bytes = try self.blobIfAny() else { return nil }
        guard let text = StoredText.decode(bytes) else {
            throw .nonsense("column \(self.next - 1) is no text")
        }
        return text
    }

    mutating func integer() throws(PostgresFailure) -> Int64 {
        guard let value = try self.integerIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }

    mutating func text() throws(PostgresFailure) -> String {
        guard let value = try self.textIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }

    mutating func blob() throws(PostgresFailure) -> [UInt8] {
        guard let value = try self.blobIfAny() else { throw .nonsense("column \(self.next - 1) is missing") }
        return value
    }
}
