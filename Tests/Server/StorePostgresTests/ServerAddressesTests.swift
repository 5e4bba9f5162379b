import Glibc
import POSIX
import Synchronization
import TestSupport
import Testing

@testable import Stores

@Suite("Addresses of the names of servers", .timeLimit(.minutes(5)))
struct ServerAddressesTests {
    /// An end that a test which goes as it should never reaches.
    private static var farEnd: ContinuousClock.Instant { .now + .seconds(30) }

    private static func finder(_ connection: String, _ book: AddressBook) throws -> PrimaryFinder {
        PrimaryFinder(try ConnectionSettings(connection: "\(connection) user=x dbname=x", name: "test"), book)
    }

    @Test func `A silent address of a name holds up none of the others`() throws {
        let silent = try SpokenServer(.silent, at: 2)
        let primary = try SpokenServer(.primary, at: 3, port: silent.port)
        let book = AddressBook { (_) throws(UnknownHost) in ["127.0.0.2", "127.0.0.3"] }
        let finder = try Self.finder("host=db.example port=\(silent.port) sslmode=disable", book)
        let (_, found) = try finder.connect(by: Self.farEnd)
        #expect(found == PrimarySearch.Candidate(place: 0, address: "127.0.0.3"))
        withExtendedLifetime((silent, primary)) {}
    }

    @Test func `A refused address of a name is followed by the next one`() throws {
        let primary = try SpokenServer(.primary, at: 3)
        let book = AddressBook { (_) throws(UnknownHost) in ["127.0.0.2", "127.0.0.3"] }
        let finder = try Self.finder("host=db.example port=\(primary.port) sslmode=disable", book)
        let (_, found) = try finder.connect(by: Self.farEnd)
        #expect(found.address == "127.0.0.3")
        withExtendedLifetime(primary) {}
    }

    @Test func `Addresses are asked in the order of the resolver, the one that was found last first`() throws {
        let first = try SpokenServer(.primary, at: 2)
        let second = try SpokenServer(.primary, at: 3, port: first.port)
        let book = AddressBook { (_) throws(UnknownHost) in ["127.0.0.2", "127.0.0.3"] }
        let finder = try Self.finder("host=db.example port=\(first.port) sslmode=disable", book)
        #expect(try finder.connect(by: Self.farEnd).1.address == "127.0.0.2")
        let last = PrimarySearch.Candidate(place: 0, address: "127.0.0.3")
        _ = try finder.accept(last, PrimaryFinder.Server(timeline: 1, start: 1, system: 1))
        #expect(try finder.connect(by: Self.farEnd).1 == last)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `The certificate is that of the name, whichever address is asked`() throws {
        let server = try SpokenServer(.overheard, at: 4)
        let book = AddressBook { (_) throws(UnknownHost) in ["127.0.0.4"] }
        let finder = try Self.finder("host=db.example port=\(server.port) sslmode=require", book)
        #expect(throws: PostgresFailure.self) { _ = try finder.connect(by: Self.farEnd) }
        // The name in the greeting (RFC 6066, 3) is the one that libpq compares with the certificate.
        let greeting = try #require(server.overheard.first)
        #expect(String(decoding: greeting, as: UTF8.self).contains("db.example"))
    }

    @Test func `A resolver that does not answer holds no caller up, and is asked one thing at a time`() throws {
        let (gate, begun) = (Gate(), Gate())
        let asked = Mutex(0)
        let book = AddressBook(freshness: .zero) { (_) throws(UnknownHost) in
            asked.withLock { $0 += 1 }
            begun.open()
            gate.wait()
            return ["127.0.0.2"]
        }
        let finder = try Self.finder("host=db.example sslmode=disable", book)
        for _ in 0..<3 {
            let failure = #expect(throws: PostgresFailure.self) {
                _ = try finder.connect(by: .now + .milliseconds(20))
            }
            #expect(failure?.message == "the name of the server db.example was not found in time")
        }
        begun.wait()
        #expect(asked.withLock { $0 } == 1)
        gate.open()
    }

    @Test("While a resolver does not answer, the addresses that it gave before are asked; each search asks it anew")
    func remembered() throws {
        let gate = Gate()
        let asked = Mutex(0)
        let first = try SpokenServer(.primary, at: 5)
        let addresses = Mutex(["127.0.0.5"])
        let book = AddressBook(freshness: .zero) { (_) throws(UnknownHost) in
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number == 3 { gate.wait() }
            return addresses.withLock { $0 }
        }
        let finder = try Self.finder("host=db.example port=\(first.port) sslmode=disable", book)
        #expect(try finder.connect(by: Self.farEnd).1.address == "127.0.0.5")
        // The name leads to another server now.
        let moved = try SpokenServer(.primary, at: 6, port: first.port)
        addresses.withLock { $0 = ["127.0.0.6"] }
        #expect(try finder.connect(by: Self.farEnd).1.address == "127.0.0.6")
        #expect(try finder.connect(by: Self.farEnd).1.address == "127.0.0.6")
        #expect(asked.withLock { $0 } == 3)
        gate.open()
        withExtendedLifetime(moved) {}
    }

    @Test("While a resolver does not answer, an address that refuses is asked again, each time a head start later")
    func paced() throws {
        let standby = try SpokenServer(.standby, at: 7)
        let primary = try SpokenServer(.primary, at: 8, port: standby.port)
        let isFirst = Mutex(true)
        let book = AddressBook(freshness: .zero) { (_) throws(UnknownHost) in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // Answers the second time when the standby was asked thrice again.
            while !isFirst, standby.callers < 4 { sched_yield() }
            return isFirst ? ["127.0.0.7"] : ["127.0.0.8"]
        }
        let finder = try Self.finder("host=db.example port=\(standby.port) sslmode=disable", book)
        #expect(throws: PostgresFailure.self) { _ = try finder.connect(by: Self.farEnd) }
        #expect(standby.callers == 1)
        let start = ContinuousClock.now
        #expect(try finder.connect(by: Self.farEnd).1.address == "127.0.0.8")
        // One for the resolver, and one for each of the first two.
        #expect(start.duration(to: .now) >= .milliseconds(300))
        withExtendedLifetime(primary) {}
    }

    @Test func `The host that was found last waits for no other name, and the others for a moment`() throws {
        let primary = try SpokenServer(.primary, at: 9)
        let (gate, answered) = (Gate(), AddressBook.Reader())
        let book = AddressBook(freshness: .seconds(60)) { (name) throws(UnknownHost) in
            if name == "away.example" { gate.wait() }
            return ["127.0.0.9"]
        }
        let settings = try ConnectionSettings(
            connection: "host=away.example,db.example port=\(primary.port) sslmode=disable user=x dbname=x",
            name: "test")
        book.ask("db.example", for: answered, at: .now)
        while book.answer(for: "db.example", to: answered) == nil { sched_yield() }
        func isAsked(_ last: PrimarySearch.Candidate?) -> Bool {
            var search = PrimarySearch(settings, book, last: last, headStart: .seconds(60))
            defer { search.end() }
            search.learn(at: .now)
            return search.beginNext(at: .now)
        }
        #expect(isAsked(PrimarySearch.Candidate(place: 1, address: "127.0.0.9")))
        #expect(!isAsked(nil))
        // Neither is one whose name leads elsewhere now, or was not found yet.
        #expect(!isAsked(PrimarySearch.Candidate(place: 1, address: "127.0.0.1")))
        #expect(!isAsked(PrimarySearch.Candidate(place: 0, address: "127.0.0.9")))
        gate.open()
    }

    @Test("A name that has no address any more is not asked at the old one, and one without an answer is")
    func forgotten() throws {
        let answers = Mutex<[Result<[String], UnknownHost>]>([
            .success(["192.0.2.1"]), .failure(.noAnswer), .failure(.absent),
        ])
        let book = AddressBook(freshness: .zero) { (_) throws(UnknownHost) in
            try answers.withLock { $0.removeFirst() }.get()
        }
        let reader = AddressBook.Reader()
        func next() -> AddressBook.Answer {
            book.ask("db.example", for: reader, at: .now)
            while true { if let answer = book.answer(for: "db.example", to: reader) { return answer } }
        }
        #expect(next() == .found)
        #expect(book.addresses(of: "db.example") == ["192.0.2.1"])
        #expect(next() == .unknown(.noAnswer))
        #expect(book.addresses(of: "db.example") == ["192.0.2.1"])
        #expect(next() == .unknown(.absent))
        #expect(book.addresses(of: "db.example") == [])
    }

    @Test("A failure names each server and what it answered, also a moment ago, and addresses need no resolver")
    func everyAnswer() throws {
        let book = AddressBook { (_) throws(UnknownHost) in
            Issue.record("a resolver was asked")
            throw .noAnswer
        }
        let standby = try SpokenServer(.standby, at: 10)
        let silent = try SpokenServer(.silent, at: 11, port: standby.port)
        let finder = try Self.finder("host=127.0.0.10,127.0.0.11 port=\(standby.port) sslmode=disable", book)
        // The second time there is no time left to ask.
        for deadline in [ContinuousClock.now + .milliseconds(500), .now] {
            let failure = #expect(throws: PostgresFailure.self) { _ = try finder.connect(by: deadline) }
            let message = try #require(failure?.message)
            #expect(message.contains("\"127.0.0.10\", port \(standby.port) failed: session is read-only"), "\(message)")
            #expect(message.contains("127.0.0.11:\(standby.port) did not answer in time"), "\(message)")
        }
        withExtendedLifetime((standby, silent)) {}
    }

    @Test("A server that was replaced is left alone for a moment, so that its successor has time to answer")
    func replaced() throws {
        let old = try SpokenServer(.primary, at: 12)
        let new = try SpokenServer(.silent, at: 13, port: old.port)
        let finder = try Self.finder("host=127.0.0.12,127.0.0.13 port=\(old.port) sslmode=disable", AddressBook())
        _ = try finder.accept(
            PrimarySearch.Candidate(place: 1), PrimaryFinder.Server(timeline: 2, start: 2, system: 1))
        #expect(throws: PostgresFailure.self) {
            try finder.accept(
                PrimarySearch.Candidate(place: 0), PrimaryFinder.Server(timeline: 1, start: 1, system: 1))
        }
        let failure = #expect(throws: PostgresFailure.self) {
            _ = try finder.connect(by: .now + .milliseconds(300))
        }
        #expect(failure?.message.contains("was replaced by one of timeline 2") == true)
        #expect(failure?.message.contains("127.0.0.13:\(old.port) did not answer in time") == true)
        withExtendedLifetime((old, new)) {}
    }

    @Test func `An unknown name is told of by its name`() throws {
        let book = AddressBook { (_) throws(UnknownHost) in throw .absent }
        let finder = try Self.finder("host=db.example", book)
        let failure = #expect(throws: PostgresFailure.self) { _ = try finder.connect(by: Self.farEnd) }
        #expect(failure?.message.hasPrefix("the name of the server db.example was not found") == true)
    }
}
