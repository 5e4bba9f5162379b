import Observability
import Testing

@Suite("The rate of lines of one kind")
struct LineRateTests {
    @Test func `admits so many in a span, and tells how many it dropped with the next`() {
        var rate = LineRate(lines: 2, per: .seconds(60))
        #expect([0, 0, 1, 2, 59].map { rate.admit(at: .seconds($0)) } == [0, 0, nil, nil, nil])
        #expect([60, 61, 62].map { rate.admit(at: .seconds($0)) } == [3, 0, nil])
        #expect(rate.admit(at: .seconds(1000)) == 1)
        #expect(rate.admit(at: .seconds(1001)) == 0)
    }
}
