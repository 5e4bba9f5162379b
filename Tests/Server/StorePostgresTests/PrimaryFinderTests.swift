import Synchronization
import Testing

@testable import Stores

@Suite("Which of several servers takes writes")
struct PrimaryFinderTests {
    private static func finder() throws -> PrimaryFinder {
        PrimaryFinder(try ConnectionSettings(connection: "host=a,b dbname=latchkey", name: "test"))
    }

    private static func place(_ place: Int, _ address: String? = nil) -> PrimarySearch.Candidate {
        PrimarySearch.Candidate(place: place, address: address)
    }

    private static func server(_ start: Int64, timeline: UInt32) -> PrimaryFinder.Server {
        PrimaryFinder.Server(timeline: timeline, start: start, system: 1)
    }

    private static func hosts(_ connection: String) throws -> [ConnectionSettings.Host] {
        try ConnectionSettings(connection: connection, name: "test").hosts
    }

    @Test func `A server that was replaced is not believed again, though it takes writes`() throws {
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

    @Test func `A silent connection has the next one be new, and ends no other once that is answered`() throws {
        let finder = try Self.finder()
        let finding = try finder.accept(Self.place(0), Self.server(0, timeline: 1))
        finder.suspect(finding)
        #expect(!finder.trusts(finding))
        #expect(finder.finding == finding)
        #expect(try finder.accept(Self.place(0), Self.server(0, timeline: 1)) == finding)
        #expect(finder.trusts(finding))
        // What was said of a server before this one changes nothing.
        finder.doubt(finding, because: .silent)
        finder.doubt(finding, because: .silent)
        let next = try finder.accept(Self.place(0), Self.server(0, timeline: 1))
        finder.suspect(finding)
        finder.doubt(finding, because: .silent)
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

    @Test("A server that was promoted beside the one in use takes its place, and no other server does")
    func superseded() throws {
        let changes = Mutex<[PrimaryChange]>([])
        let finder = PrimaryFinder(
            try ConnectionSettings(connection: "host=192.0.2.1,192.0.2.2 dbname=x", name: "test"),
            report: { change in changes.withLock { $0.append(change) } })
        let reader = AddressBook.Reader()
        #expect(finder.others(for: reader) == [])
        let first = try finder.accept(Self.place(0), Self.server(1, timeline: 2))
        #expect(finder.others(for: reader) == [Self.place(1)])
        // A standby, one of the same timeline, and one of another system.
        for other in [
            Self.server(2, timeline: 0), Self.server(2, timeline: 2),
            PrimaryFinder.Server(timeline: 9, start: 2, system: 2),
        ] { finder.note(other, at: Self.place(1)) }
        #expect(finder.trusts(first))
        finder.note(Self.server(2, timeline: 3), at: Self.place(1))
        #expect(!finder.trusts(first))
        #expect(finder.others(for: reader) == [Self.place(0)])
        typealias Side = PrimaryChange.Side
        let side = Side(name: "192.0.2.2", timeline: 3)
        #expect(
            changes.withLock { $0 } == [
                PrimaryChange(from: Side(name: "192.0.2.1", timeline: 2), to: side, reason: .superseded)
            ])
    }

    @Test("Each change of the server is told of with its reason, and a server that was started again is none")
    func reasons() throws {
        let reasons = Mutex<[PrimaryChange.Reason]>([])
        let finder = PrimaryFinder(
            try ConnectionSettings(connection: "host=a,b dbname=x", name: "test"),
            report: { change in reasons.withLock { $0.append(change.reason) } })
        try finder.accept(Self.place(0), Self.server(1, timeline: 1))
        try finder.accept(Self.place(0), Self.server(2, timeline: 1))
        #expect(reasons.withLock { $0 } == [])
        try finder.accept(Self.place(1), Self.server(3, timeline: 2))
        finder.suspect(finder.finding)
        try finder.accept(Self.place(0), Self.server(4, timeline: 3))
        finder.doubt(finder.finding, because: .readOnly)
        try finder.accept(Self.place(1), Self.server(5, timeline: 4))
        // Promoted where it was.
        try finder.accept(Self.place(1), Self.server(6, timeline: 5))
        #expect(reasons.withLock { $0 } == [.ended, .silent, .readOnly, .ended])
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

    @Test func `Names are looked up, and addresses and folders of sockets are not`() {
        typealias Host = ConnectionSettings.Host
        #expect(Host(name: "a").unresolvedName == "a")
        #expect(Host(name: "a", address: "192.0.2.1").unresolvedName == nil)
        for name in ["/run/postgresql", "@abstract", "192.0.2.1", "2001:db8::1", nil] {
            #expect(Host(name: name).unresolvedName == nil)
        }
    }

    @Test("While commits wait for a standby, callers are refused, and one looks at the end of each pause")
    func standstill() throws {
        let standstill = Standstill()
        let finder = try Self.finder()
        let finding = finder.finding
        let now = ContinuousClock.now
        #expect(standstill.admission(at: now, of: finding) == .free)
        standstill.begin(at: now, of: finding)
        #expect(standstill.admission(at: now, of: finding) == .refused)
        let end = now + Standstill.pause
        #expect(standstill.admission(at: end, of: finding) == .afterLook)
        #expect(standstill.admission(at: end, of: finding) == .refused)
        #expect(standstill.admission(at: end + Standstill.pause, of: finding) == .afterLook)
        // Commits of another server wait for nothing.
        finder.doubt(finding, because: .silent)
        #expect(standstill.admission(at: end, of: finder.finding) == .free)
        standstill.end()
        #expect(standstill.admission(at: end, of: finding) == .free)
    }

    @Test("Jobs that wait too long for their turn are refused, the others have time, and all callers an answer")
    func patience() throws {
        let patience = Patience(total: .seconds(2))
        let now = ContinuousClock.now
        let job = Job(subjects: [], work: .statements([], finish: { _, _ in {} })) { _ in }
        let start = job.submitted
        #expect(patience.deadline(of: [Job](), now: now) == now + patience.work)
        #expect(patience.deadline(of: [job], now: start) == start + patience.work)
        let late = start + patience.turn
        #expect(patience.deadline(of: [job], now: late) >= late + .seconds(1))
        #expect(patience.deadline(of: [job], now: late) + patience.rest <= start + .seconds(2))
    }
}
