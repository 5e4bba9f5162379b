/// One row of an answer.
package struct Row: RecordRow {
    private let answer: SharedResult
    private let row: Int
    package var start = 0
    private var next = 0

    init(_ row: Int, of answer: SharedResult) {
        self.answer = answer
        self.row = row
    }

    package mutating func advance() -> Int {
        defer { self.next += 1 }
        return self.next
    }

    package func blobIfAny(at place: Int) throws(PostgresFailure) -> [UInt8]? {
        self.answer.result.value(row: self.row, column: self.start + place)
    }

    package func integerIfAny(at place: Int) throws(PostgresFailure) -> Int64? {
        guard let bytes = try self.blobIfAny(at: place) else { return nil }
        guard bytes.count == 8 else { throw .nonsense("column \(place) is not a bigint") }
        let value: Int64 = bytes.reduce(0) { $0 << 8 | Int64($1) }
        return value
    }

    package func textIfAny(at place: Int) throws(PostgresFailure) -> String? {
        guard let bytes = try self.blobIfAny(at: place) else { return nil }
        guard let text = StoredText.decode(bytes) else { throw .nonsense("column \(place) is no text") }
        return text
    }
}
