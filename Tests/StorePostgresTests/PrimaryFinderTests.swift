import Testing

@testable import StorePostgres

@Suite("Which of several servers takes writes")
struct PrimaryFinderTests {
    private static func finder() throws -> PrimaryFinder {
        PrimaryFinder(try ConnectionSettings(connection: "host=a,b dbname=latchkey", name: "test"))
    }

    private static func place(_ place: Int, _ address: String? = nil) -> PrimarySearch.Candidate {
        PrimarySearch.Candidate(place: place, address: address)
    }

    /// A server that was started at its own time.
    private static func server(_ start: Int64, timeline: UInt32) -> PrimaryFinder.Server {
        PrimaryFinder.Server(timeline: timeline, start: start)
    }

    private static func hosts(_ connection: String) throws -> [ConnectionSettings.Host] {
        try ConnectionSettings(connection: connection, name: "test").hosts
    }

    @Test("A server that was replaced is not believed again, though it takes writes")
    func timeline() throws {
        let finder = try Self.finder()
        let first = try finder.accept(Self.place(0), Self.server(0, timeline: 1))
        #expect(finder.trusts(first))
        // Another connection to the same server makes none of the others stale.
        #expect(try finder.accept(Self.place(0), Self.server(0, timeline: 1)) == first)
        let second = try finder.accept(Self.place(1), Self.server(1, timeline: 2))
        #expect(second != first)
        #expect(!finder.trusts(first))
        #expect(throws: PostgresFailure.self) { _ = try finder.accept(Self.place(0), Self.server(0, timeline: 1)) }
        #expect(finder.trusts(second))
        // The same host, promoted once more.
        let third = try finder.accept(Self.place(1), Self.server(1, timeline: 3))
        #expect(!finder.trusts(second))
        #expect(finder.trusts(third))
    }

    @Test("A silent connection has the next one be new, and ends no other once that is answered")
    func silence() throws {
        let finder = try Self.finder()
        let finding = try finder.accept(Self.place(0), Self.server(0, timeline: 1))
        finder.suspect(finding)
        #expect(!finder.trusts(finding))
        #expect(finder.finding == finding)
        #expect(try finder.accept(Self.place(0), Self.server(0, timeline: 1)) == finding)
        #expect(finder.trusts(finding))
        // What was said of a server before this one changes nothing.
        finder.doubt(finding)
        finder.doubt(finding)
        let next = try finder.accept(Self.place(0), Self.server(0, timeline: 1))
        finder.suspect(finding)
        finder.doubt(finding)
        #expect(finder.trusts(next))
        #expect(!finder.trusts(finding))
    }

    @Test("A server that is reached at another of its addresses was not replaced, and one that took its place was")
    func addresses() throws {
        let finder = try Self.finder()
        let first = try finder.accept(Self.place(0, "192.0.2.1"), Self.server(7, timeline: 1))
        #expect(try finder.accept(Self.place(0, "2001:db8::1"), Self.server(7, timeline: 1)) == first)
        #expect(try finder.accept(Self.place(1), Self.server(7, timeline: 1)) == first)
        #expect(try finder.accept(Self.place(1), Self.server(8, timeline: 1)) != first)
    }

    @Test("Hosts are those of libpq's lists, each with its own port or that of all")
    func hosts() throws {
        typealias Host = ConnectionSettings.Host
        #expect(try Self.hosts("host=a dbname=x") == [Host(name: "a")])
        #expect(try Self.hosts("hostaddr=192.0.2.1 host=a") == [Host()])
        #expect(try Self.hosts("dbname=x") == [Host()])
        #expect(try Self.hosts("host=a,b") == [Host(name: "a"), Host(name: "b")])
        #expect(try Self.hosts("host=a,b port=5433") == [Host(name: "a", port: "5433"), Host(name: "b", port: "5433")])
        #expect(
            try Self.hosts("host=a,b port=5433,") == [Host(name: "a", port: "5433"), Host(name: "b", port: "5432")])
        #expect(
            try Self.hosts("host=a,b hostaddr=192.0.2.1,192.0.2.2") == [
                Host(name: "a", address: "192.0.2.1"), Host(name: "b", address: "192.0.2.2"),
            ])
        for faulty in ["host=a,", "host=,b", "host=a,b hostaddr=192.0.2.1,"] {
            #expect(throws: PostgresFailure.self, "\(faulty)") { _ = try Self.hosts(faulty) }
        }
    }

    @Test("Names are looked up, and addresses and folders of sockets are not")
    func names() {
        typealias Host = ConnectionSettings.Host
        #expect(Host(name: "a").unresolvedName == "a")
        #expect(Host(name: "a", address: "192.0.2.1").unresolvedName == nil)
        for name in ["/run/postgresql", "@abstract", nil] { #expect(Host(name: name).unresolvedName == nil) }
    }

    @Test("While commits wait for a standby, callers are refused, and one looks at the end of each pause")
    func standstill() {
        let standstill = Standstill()
        let now = ContinuousClock.now
        #expect(standstill.admission(at: now) == .free)
        standstill.begin(at: now)
        #expect(standstill.admission(at: now) == .refused)
        let end = now + Standstill.pause
        #expect(standstill.admission(at: end) == .afterLook)
        #expect(standstill.admission(at: end) == .refused)
        #expect(standstill.admission(at: end + Standstill.pause) == .afterLook)
        standstill.end()
        #expect(standstill.admission(at: end) == .free)
    }

    @Test("Jobs that wait too long for their turn are refused, the others have time, and all callers an answer")
    func patience() throws {
        let patience = Patience(of: .seconds(2))
        let now = ContinuousClock.now
        let job = Job<CodeCreations>(subjects: [], work: .statements([], finish: { _, _ in {} })) { _ in }
        let start = job.submitted
        #expect(patience.deadline(of: [Job<CodeCreations>](), now: now) == now + patience.work)
        #expect(patience.deadline(of: [job], now: start) == start + patience.work)
        let late = start + patience.turn
        #expect(patience.deadline(of: [job], now: late) >= late + .seconds(1))
        #expect(patience.deadline(of: [job], now: late) + patience.rest <= start + .seconds(2))
    }
}
