import ServerAPI
import Testing

@Suite("Every described operation")
struct StatusTests {
    @Test("has each status that its section of the protocol lists", arguments: StatusRows.all)
    func statuses(row: StatusRows.Row) throws {
        let operation = try #require(APIDescription.operations.first { $0.label == row.operation })
        #expect(row.statuses.subtracting(operation.statuses) == [])
    }

    @Test func `is in the table of statuses`() {
        let (listed, described) = (StatusRows.all.map(\.operation), APIDescription.operations.map(\.label))
        #expect(Set(described).subtracting(listed).sorted() == [])
    }
}
