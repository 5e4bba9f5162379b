import Entitlement
import StoreFixtures
import Stores
import Testing

@Suite("The columns of a record")
struct RecordTests {
    @Test("are those of its table, in name and kind, and NULL only where that may be", arguments: KeptRecord.all)
    func columns(_ kept: KeptRecord) throws {
        let table = try #require(Table.all.first { $0.name == kept.table })
        #expect(table.columns.map(\.name) == kept.columns)
        for (column, value) in zip(table.columns, kept.values) {
            switch value {
            case .null: #expect(column.type.isOptional, "\(column.name)")
            case .integer: #expect(column.type.kind == .integer, "\(column.name)")
            case .text: #expect(column.type.kind == .text, "\(column.name)")
            case .blob: #expect(column.type.kind == .blob, "\(column.name)")
            }
        }
    }

    @Test(arguments: KeptRecord.all) func `hold all of it: it is read as it was written`(_ kept: KeptRecord) throws {
        #expect(kept.values.count == kept.columns.count)
        #expect(try kept.isRecord(MemoryRow(kept.values)))
    }

    @Test(arguments: KeptRecord.all) func `each count: without one it is another record, or none`(_ kept: KeptRecord) {
        for place in kept.values.indices where !kept.unread.contains(kept.columns[place]) {
            if case .null = kept.values[place] { continue }
            var values = kept.values
            values[place] = .null
            #expect((try? kept.isRecord(MemoryRow(values))) != true, "\(kept.columns[place])")
        }
    }

    @Test func `are refused where they say what no store wrote`() {
        let record = Fixture.record(1)
        for (column, value) in [(CodeColumn.state, SQLValue.integer(8)), (.code, .text("?")), (.requestor, .text(""))] {
            var values = CodeColumn.values(of: record)
            values[column.place] = value
            var row = MemoryRow(values)
            #expect(throws: MemoryRow.Failure.self, "\(column)") { try CodeColumn.record(from: &row) }
        }
    }

    @Test func `say every change of the feed`() throws {
        let changes: [StoreChange] = [
            .code(Fixture.code(1)), .device(Fixture.device(1)), .credentials, .degradation, .accounts, .client("c"),
        ]
        for change in changes {
            var row = MemoryRow(ChangeColumn.values(of: change))
            #expect(try row.change() == change)
        }
    }
}

@Suite("What a table lacks of a trial")
struct TrialIdentityChangeTests {
    private let device = TrialIdentity.device(Fixture.device(1))
    private let person = TrialIdentity.person([1, 0, 255])

    @Test func `is what comes behind the stored identities, from the next place on`() {
        let trial = Fixture.trial(1, [self.device, self.person])
        let change = TrialIdentityChange(to: trial, from: [(place: 4, identity: self.device)])
        #expect(change.isExtension)
        #expect(self.places(change) == [5])
        #expect(TrialIdentityChange(to: trial, from: [(0, self.device), (1, self.person)]).rows.isEmpty)
    }

    @Test func `is all of it, from the first place on, where stored ones are left out or moved`() {
        let trial = Fixture.trial(1, [self.device, self.person])
        let change = TrialIdentityChange(to: trial, from: [(place: 4, identity: self.person)])
        #expect(!change.isExtension)
        #expect(self.places(change) == [0, 1])
    }

    private func places(_ change: TrialIdentityChange) -> [Int64] {
        change.rows.compactMap { row in
            guard case .integer(let place)? = row.last else { return nil }
            return place
        }
    }
}

@Suite("A statement")
struct SQLTests {
    @Test func `takes values as parameters, numbered over its parts, and nothing else as text`() {
        let (name, none): (String, Int?) = ("x OR $1", nil)
        let part: SQL = "a = \(name) AND b = \(none)"
        let statement: SQL =
            "SELECT \(RuleColumn.self) FROM t WHERE c = \(7) AND \(part) AND d IN (\([.null, .integer(9)]))"
        #expect(
            statement.text == "SELECT \(RuleColumn.names) FROM t WHERE c = $1 AND a = $2 AND b = $3 AND d IN ($4, $5)")
        let values = statement.values.map { "\($0)" }
        #expect(values == ["integer(7)", #"text("x OR $1")"#, "null", "null", "integer(9)"])
    }

    @Test func `with more than nine values keeps the numbers of a part apart`() {
        let part: SQL = "(\((1...12).map { .integer($0) }))"
        let statement: SQL = "\(0) \(part)"
        #expect(statement.text == "$1 ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")
        #expect(statement.values.count == 13)
    }
}
