import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("A waiting room")
struct WaitingRoomTests {
    static let start = Timestamp(milliseconds: 1_767_225_600_000)
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

    @Test("wakes by key, by deadline and at its end, each once")
    func wakeUps() async {
        let room = WaitingRoom(bound: 10)
        let log = Log()
        #expect(room.wait(on: [.code(Self.code)], until: Self.start + .seconds(50), resume: log.note("changed")) != nil)
        #expect(
            room.wait(on: [.code(Self.otherCode)], until: Self.start + .seconds(1), resume: log.note("late")) != nil)
        #expect(
            room.wait(on: [.code(Self.otherCode)], until: Self.start + .seconds(50), resume: log.note("last")) != nil)
        room.wake(.code(Self.code))
        room.expire(now: Self.start + .milliseconds(900))
        #expect(room.count == 2)
        room.expire(now: Self.start + .milliseconds(1200))
        #expect(room.count == 1)
        room.close()
        await room.deliver()
        #expect(log.all == ["changed": .changed, "late": .timedOut, "last": .stopping])
    }

    @Test("finds those who are due after a long pause of the clock")
    func longPause() async {
        let room = WaitingRoom(bound: 10)
        let log = Log()
        #expect(room.wait(on: [], until: Self.start + .seconds(5), resume: log.note("a")) != nil)
        #expect(room.wait(on: [], until: Self.start + .seconds(50_000), resume: log.note("b")) != nil)
        room.expire(now: Self.start + .seconds(40_000))
        #expect(room.count == 1)
        room.expire(now: Self.start + .seconds(50_001))
        room.close()
        await room.deliver()
        #expect(log.all == ["a": .timedOut, "b": .timedOut])
    }

    @Test("refuses when full, for too many on one key, and when closed")
    func refusals() {
        let room = WaitingRoom(bound: 20)
        for _ in 0..<16 { #expect(room.wait(on: [.code(Self.code)], until: Self.start, resume: { _ in }) != nil) }
        #expect(room.wait(on: [.code(Self.code)], until: Self.start, resume: { _ in }) == nil)
        for _ in 0..<4 { #expect(room.wait(on: [], until: Self.start, resume: { _ in }) != nil) }
        #expect(room.wait(on: [], until: Self.start, resume: { _ in }) == nil)
        room.wake(.code(Self.code))
        #expect(room.count == 4)
        room.close()
        #expect(room.wait(on: [], until: Self.start, resume: { _ in }) == nil)
    }

    @Test("forgets who left")
    func leaving() async throws {
        let room = WaitingRoom(bound: 10)
        let log = Log()
        let place = try #require(room.wait(on: [.code(Self.code)], until: Self.start, resume: log.note("gone")))
        room.leave(place)
        #expect(room.count == 0)
        room.wake(.code(Self.code))
        room.close()
        await room.deliver()
        #expect(log.all.isEmpty)
    }
}
