import HTTPServer
import Synchronization
import Testing

@testable import latchkey

@Suite("Calls that wait")
struct WaitingRoomTests {
    private let room = HeldCalls(ofUser: 8, ofApplication: 8)

    /// What the visits of a test hear, once there is anything.
    private final class News: Sendable { let text = Mutex<String?>(nil) }

    private let news = News()

    private func visit(_ name: String, user: Int = 1, wait: Duration = .seconds(30)) -> HeldCalls.Visit {
        let news = self.news
        return HeldCalls.Visit(
            caller: AgentCaller(application: Application(name)!, user: user, isOperator: false), wait: wait,
            news: { news.text.withLock { $0 }.map { .text($0) } }, end: { .text("over") })
    }

    private func held(_ room: HeldCalls, _ visit: HeldCalls.Visit) throws -> HeldReply {
        guard case .held(let reply) = try #require(room.reply(to: visit)) else {
            Issue.record("answered at once")
            return HeldReply()
        }
        return reply
    }

    private func isNow(_ reply: HTTPReply?) -> Bool {
        if case .now = reply { return true }
        return false
    }

    @Test func `hear news at once, or when there are some, or that their wait is over`() throws {
        #expect(self.isNow(room.reply(to: self.visit("user:a", wait: .zero))))
        let early = try self.held(room, self.visit("user:a", wait: .seconds(10)))
        let late = try self.held(room, self.visit("user:a"))
        room.look()
        room.endWaits(at: .now)
        #expect(!early.isFinished && !late.isFinished)
        room.endWaits(at: .now + .seconds(11))
        #expect(early.isFinished && !late.isFinished)
        self.news.text.withLock { $0 = "granted" }
        room.look()
        #expect(late.isFinished)
        #expect(self.isNow(room.reply(to: self.visit("user:a"))))
    }

    @Test func `are few of one application, and of one user; one that ended makes room`() throws {
        let room = HeldCalls(ofUser: 2, ofApplication: 1)
        _ = try self.held(room, self.visit("unit:a.service", wait: .seconds(5)))
        #expect(room.reply(to: self.visit("unit:a.service")) == nil)
        _ = try self.held(room, self.visit("unit:a.service", user: 2))
        _ = try self.held(room, self.visit("unit:b.service"))
        #expect(room.reply(to: self.visit("unit:c.service")) == nil)
        room.endWaits(at: .now + .seconds(6))
        _ = try self.held(room, self.visit("unit:a.service"))
    }

    @Test func `set one alarm each, however many short waits end beside a long one`() async throws {
        let long = try self.held(room, self.visit("user:a", wait: .seconds(600)))
        for _ in 0..<200 {
            let short = try self.held(room, self.visit("user:a", wait: .seconds(10)))
            room.endWaits(at: .now + .seconds(11))
            #expect(short.isFinished && !long.isFinished)
        }
        room.close()
        var count = 0
        for await _ in room.alarms { count += 1 }
        #expect(count == 201)
    }

    @Test func `are answered when the agent stops, and none waits from then on`() throws {
        let reply = try self.held(room, self.visit("user:a"))
        room.close()
        #expect(reply.isFinished)
        #expect(self.isNow(room.reply(to: self.visit("user:a"))))
    }
}
