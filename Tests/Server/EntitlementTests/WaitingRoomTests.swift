import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("A waiting room")
struct WaitingRoomTests {
    static let code = RegistrationCodeText("7KQ4M2X")!
    static let otherCode = RegistrationCodeText("8KQ4M2X")!

    /// Collects who was woken and why; the room's `run` delivers, so it is awaited to its end.
    final class Log: Sendable {
        private let entries = Mutex<[String: WaitingRoom.WakeReason]>([:])
        var all: [String: WaitingRoom.WakeReason] { self.entries.withLock { $0 } }
        func note(_ name: String) -> WaitingRoom.Resume {
            { reason in self.entries.withLock { $0[name] = reason } }
        }
    }

    @Test func `wakes by key, by deadline and at its end, each once`() async {
        let clock = ManualUptime()
        let room = WaitingRoom(bound: 10, uptime: { clock.now })
        let log = Log()
        #expect(room.wait(on: [.code(Self.code)], for: .seconds(50), resume: log.note("changed")) != nil)
        #expect(room.wait(on: [.code(Self.otherCode)], for: .seconds(1), resume: log.note("late")) != nil)
        #expect(room.wait(on: [.code(Self.otherCode)], for: .seconds(50), resume: log.note("last")) != nil)
        room.wake(.code(Self.code))
        clock.advance(by: .milliseconds(900))
        room.expire()
        #expect(room.count == 2)
        clock.advance(by: .milliseconds(300))
        room.expire()
        #expect(room.count == 1)
        room.close()
        await room.deliver()
        #expect(log.all == ["changed": .changed, "late": .timedOut, "last": .stopping])
    }

    @Test func `finds those who are due after a long pause of the clock`() async {
        let clock = ManualUptime()
        let room = WaitingRoom(bound: 10, uptime: { clock.now })
        let log = Log()
        #expect(room.wait(on: [], for: .seconds(5), resume: log.note("a")) != nil)
        #expect(room.wait(on: [], for: .seconds(50_000), resume: log.note("b")) != nil)
        clock.advance(by: .seconds(40_000))
        room.expire()
        #expect(room.count == 1)
        clock.advance(by: .seconds(10_001))
        room.expire()
        room.close()
        await room.deliver()
        #expect(log.all == ["a": .timedOut, "b": .timedOut])
    }

    @Test func `refuses when full, for too many on one key, and when closed`() {
        let clock = ManualUptime()
        let room = WaitingRoom(bound: 20, uptime: { clock.now })
        for _ in 0..<16 { #expect(room.wait(on: [.code(Self.code)], for: .zero, resume: { _ in }) != nil) }
        #expect(room.wait(on: [.code(Self.code)], for: .zero, resume: { _ in }) == nil)
        for _ in 0..<4 { #expect(room.wait(on: [], for: .zero, resume: { _ in }) != nil) }
        #expect(room.wait(on: [], for: .zero, resume: { _ in }) == nil)
        room.wake(.code(Self.code))
        #expect(room.count == 4)
        room.close()
        #expect(room.wait(on: [], for: .zero, resume: { _ in }) == nil)
    }

    @Test func `forgets who left`() async throws {
        let clock = ManualUptime()
        let room = WaitingRoom(bound: 10, uptime: { clock.now })
        let log = Log()
        let place = try #require(room.wait(on: [.code(Self.code)], for: .zero, resume: log.note("gone")))
        #expect(room.wait(on: [], for: .zero, resume: { _ in }).map { place < $0 } == true)
        room.leave(place)
        #expect(room.count == 1)
        room.wake(.code(Self.code))
        room.close()
        await room.deliver()
        #expect(log.all.isEmpty)
    }

    @Test func `wakes all in slices, the last ones with the last`() {
        let room = WaitingRoom(bound: 2000, uptime: { .zero })
        for _ in 0..<(2 * WaitingRoom.slice + 1) {
            #expect(room.wait(on: [], for: .seconds(50), resume: { _ in }) != nil)
        }
        room.wakeAll()
        let counts = (0..<3).map { _ in
            room.expire()
            return room.count
        }
        #expect(counts == [WaitingRoom.slice + 1, 1, 0])
    }

    @Test func `has only so many look at once`() async {
        let room = WaitingRoom(bound: 2 * WaitingRoom.looking, uptime: { .zero })
        let most = Mutex((now: 0, most: 0))
        let (started, mayEnd) = AsyncStream<Void>.makeStream()
        for _ in 0..<(WaitingRoom.looking + 100) {
            let place = room.wait(on: [], for: .seconds(50)) { _ in
                let isFull = most.withLock { most in
                    most.now += 1
                    most.most = max(most.most, most.now)
                    return most.now >= WaitingRoom.looking
                }
                if isFull { mayEnd.finish() }
                for await _ in started {}
                most.withLock { $0.now -= 1 }
            }
            #expect(place != nil)
        }
        room.close()
        await room.deliver()
        #expect(most.withLock { $0.most } == WaitingRoom.looking)
    }
}
