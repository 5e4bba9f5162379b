import Clientless
import HTTPServer
import Testing

@testable import latchkey

@Suite("The agent's events")
struct EventTests {
    private let time = Timestamp(milliseconds: 5000)

    private func log(_ count: Int, after first: Int64 = 100) -> EventLog {
        var log = EventLog(after: first)
        for _ in 0..<count { log.append(.reachable, requestor: "DEMO", at: self.time) }
        return log
    }

    @Test func `are told from a number on, and none is told twice`() throws {
        let log = self.log(3)
        let answer = try #require(log.answer(after: 101, at: self.time) { _ in true })
        #expect(answer.events.map(\.number) == [102, 103] && answer.next == 103)
        #expect(log.answer(after: 103, at: self.time) { _ in true } == nil)
    }

    @Test(arguments: [
        Int64(0), 99, 104, 5_000_000_000_000,
    ])
    func `begin with a gap for a caller that was too slow, or knows another run of the agent`(after: Int64) throws {
        let answer = try #require(self.log(3).answer(after: after, at: self.time) { _ in true })
        #expect(answer.events.first?.news == .gap)
        #expect(answer.events.map(\.number) == [100, 101, 102, 103] && answer.next == 103)
    }

    @Test func `are kept to a thousand, and told two hundred at a time`() throws {
        let log = self.log(2500)
        var next: Int64 = 0
        var numbers: [Int64] = []
        while let answer = log.answer(after: next, at: self.time, { $0.news != .gap }) {
            numbers += answer.events.compactMap(\.number)
            next = answer.next
        }
        #expect(numbers.count == 1001 && numbers.last == 2600 && numbers[1] == 1601)
    }

    @Test func `that a caller may not see are passed over`() throws {
        var log = self.log(1)
        log.append(.permissionAsked(application: "user:kodi"), requestor: nil, at: self.time)
        log.append(.reachable, requestor: nil, at: self.time)
        let answer = try #require(
            log.answer(after: 100, at: self.time) { event in
                if case .permissionAsked = event.news { return false }
                return true
            })
        #expect(answer.events.count == 2 && answer.next == 103)
        #expect(log.answer(after: 102, at: self.time) { _ in false } == nil)
    }

    @Test func `reach a caller that waits, end its wait in time, and refuse a ninth of one user`() throws {
        let desk = EventDesk(now: { Timestamp(milliseconds: 5000) })
        func reply(to user: Int) -> HTTPReply? {
            desk.reply(
                to: AgentCaller(application: Application("user:kodi")!, user: user, isOperator: false),
                after: desk.last, wait: .seconds(30), isVisible: { _ in true }, refusal: { nil },
                response: { .text("\($0.events.count) \($0.next)") })
        }
        var held: [HeldReply] = []
        for _ in 0..<EventDesk.waitLimit {
            guard case .held(let reply) = try #require(reply(to: 1))
            else { return #expect(Bool(false), "answered at once") }
            held.append(reply)
        }
        #expect(reply(to: 1) == nil)
        #expect(reply(to: 2) != nil)
        desk.room.endWaits(at: .now)
        #expect(!held[0].isFinished)
        desk.room.endWaits(at: .now + .seconds(31))
        #expect(held.allSatisfy { $0.isFinished })
        guard case .held(let next) = try #require(reply(to: 1)) else { return #expect(Bool(false), "answered at once") }
        desk.publish(.reachable)
        #expect(next.isFinished)
    }
}
