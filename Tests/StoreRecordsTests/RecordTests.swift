import Clientless
import Entitlement
import StoreFixtures
import StoreRecords
import Testing

@Suite("The columns of a record")
struct RecordTests {
    @Test("are those of the table that is moved, in name and kind", arguments: KeptRecord.all)
    func columns(_ kept: KeptRecord) throws {
        let table = try #require(StoredTable.all.first { $0.name == kept.table })
        #expect(Set(kept.columns) == Set(table.columns.map(\.name)))
        for (name, value) in zip(kept.columns, kept.values) {
            let kind = table.columns.first { $0.name == name }?.kind
            switch value {
            case .null: break
            case .integer: #expect(kind == .integer, "\(name)")
            case .text: #expect(kind == .text, "\(name)")
            case .blob: #expect(kind == .blob, "\(name)")
            }
        }
    }

    @Test("hold all of it: it is read as it was written", arguments: KeptRecord.all)
    func roundTrip(_ kept: KeptRecord) throws {
        #expect(kept.values.count == kept.columns.count)
        #expect(try kept.isRecord(MemoryRow(kept.values)))
    }

    @Test("each count: without one it is another record, or none", arguments: KeptRecord.all)
    func missing(_ kept: KeptRecord) {
        for place in kept.values.indices where !kept.unread.contains(kept.columns[place]) {
            if case .null = kept.values[place] { continue }
            var values = kept.values
            values[place] = .null
            #expect((try? kept.isRecord(MemoryRow(values))) != true, "\(kept.columns[place])")
        }
    }

    @Test("are refused where they say what no store wrote")
    func nonsense() {
        let record = Fixture.record(Fixture.code(1))
        for (column, value) in [(CodeColumn.state, SQLValue.integer(8)), (.code, .text("?")), (.requestor, .text(""))] {
            var values = CodeColumn.values(of: record)
            values[column.place] = value
            var row = MemoryRow(values)
            #expect(throws: MemoryRow.Failure.self, "\(column)") { try CodeColumn.record(from: &row) }
        }
    }

    @Test("say every change of the feed")
    func changes() throws {
        let changes: [StoreChange] = [
            .code(Fixture.code(1)), .device(Fixture.device(1)), .credentials, .degradation, .client("c"),
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

    @Test("is what comes behind the stored identities, from the next place on")
    func extended() {
        let trial = Fixture.trial(1, [self.device, self.person])
        let change = TrialIdentityChange(to: trial, from: [(place: 4, identity: self.device)])
        #expect(change.isExtension)
        #expect(self.places(change) == [5])
        #expect(TrialIdentityChange(to: trial, from: [(0, self.device), (1, self.person)]).rows.isEmpty)
    }

    @Test("is all of it, from the first place on, where stored ones are left out or moved")
    func rewritten() {
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
