import Clientless
import Entitlement
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import ServerAPI

@Suite("A held poll", .timeLimit(.minutes(5)))
struct HeldPollTests {
    /// Counts how often it asks the store, and says when.
    private struct Question: Poll {
        let key = WaitingRoom.Key.code(RegistrationCodeText("7KQ4M2X")!)
        let source: Source

        func lookInMemory(now: Timestamp) -> Int? { self.source.memory.withLock { $0 } }

        func look(now: Timestamp) async throws(EntitlementError) -> Int {
            let found = self.source.store.withLock { store in
                store.looks += 1
                return store.mark
            }
            self.source.looked.send(())
            if let mayAnswer = self.source.mayAnswer { _ = await mayAnswer.next() }
            return found
        }

        func isPending(_ mark: Int) -> Bool { true }

        func response(to mark: Int, now: Timestamp) -> HTTPResponse {
            self.source.answered.send(mark)
            return .text("\(mark)")
        }

        func response(to error: EntitlementError) -> HTTPResponse { .text("error") }
    }

    private final class Source: Sendable {
        let memory = Mutex<Int?>(nil)
        let store = Mutex((mark: 1, looks: 0))
        let looked = Signal<Void>()
        let answered = Signal<Int>()
        /// Holds each answer of the store back.
        let mayAnswer: Signal<Void>?

        init(mayAnswer: Signal<Void>? = nil) { self.mayAnswer = mayAnswer }

        var looks: Int { self.store.withLock { $0.looks } }
    }

    /// Holds `count` polls while `body` runs.
    private static func hold(
        _ source: Source, count: Int = 1, _ body: (WaitingRoom, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let room = WaitingRoom(bound: 100, uptime: { .milliseconds(clock.now.milliseconds) })
        let replies = PollReplies(room: room, clock: { clock.now }, isRight: { _ in true })
        let first = source.memory.withLock { $0 }
        async let delivered: Void = room.deliver()
        for _ in 0..<count {
            let poll = HeldPoll(
                Question(source: source), wait: try #require(PreferWait("wait=50")), first: first, gate: nil,
                in: replies)
            guard case .held? = poll.hold() else { return #expect(Bool(false), "a poll is not held") }
        }
        try await body(room, clock)
        room.close()
        await delivered
    }

    @Test("asks the store after it entered and when it is woken, and no more than so often, while memory cannot answer")
    func looks() async throws {
        let source = Source()
        try await Self.hold(source, count: 16) { room, _ in
            for round in 1...PollReplies.looks {
                for _ in 0..<16 { await source.looked.next() }
                #expect(source.looks == 16 * round)
                while room.count != 16 { await Task.yield() }
                room.wake(Question(source: source).key)
            }
            // A further change is answered with what the box may ask for again.
            for _ in 0..<16 { #expect(await source.answered.next() == 1) }
            #expect(source.looks == 16 * PollReplies.looks)
        }
    }

    @Test func `is answered at its deadline`() async throws {
        let source = Source()
        try await Self.hold(source) { room, clock in
            await source.looked.next()
            while room.count != 1 { await Task.yield() }
            clock.advance(by: .seconds(51))
            room.expire()
            #expect(await source.answered.next() == 1)
            #expect(source.looks == 2)
        }
    }

    @Test func `asks nothing of the store while memory answers`() async throws {
        let source = Source()
        source.memory.withLock { $0 = 1 }
        try await Self.hold(source) { room, _ in
            source.memory.withLock { $0 = 2 }
            room.wake(Question(source: source).key)
            #expect(await source.answered.next() == 2)
            #expect(source.looks == 0)
        }
    }

    @Test func `hears of a change while the store is asked`() async throws {
        let source = Source(mayAnswer: Signal())
        try await Self.hold(source) { room, _ in
            await source.looked.next()
            while room.count != 1 { await Task.yield() }
            source.store.withLock { $0.mark = 2 }
            room.wake(Question(source: source).key)
            source.mayAnswer?.send(())
            await source.looked.next()
            source.mayAnswer?.send(())
            #expect(await source.answered.next() == 2)
        }
    }
}
