import Clientless
import HTTPServer

extension AgentAPI {
    /// Seconds that a call is held.
    static let longestWait = 55

    var eventEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/events", name: "events",
                about: "The events after a number; without one, the number to begin with",
                parameters: [
                    .init(
                        name: "after", place: .query, schema: .integer(0...Int64(Int32.max) << 21),
                        about: "The `next` of the answer before", isNeeded: false),
                    .init(
                        name: "wait", place: .query, schema: .integer(0...Int64(Self.longestWait)),
                        about: "Seconds to hold the question until there is an event; 0 without it", isNeeded: false),
                ], answers: [(200, "The events, oldest first, and the number for the next question", "Events")],
                failures: [.tooManyRequests],
                handler: .wait { (call) throws(AgentError) in try self.events(call) })
        ]
    }

    private func events(_ call: AgentCall) throws(AgentError) -> HTTPReply {
        let query = call.request.query
        let after = try Self.number("after", query, in: 0...Int64(Int32.max) << 21)
        let wait = try Self.number("wait", query, in: 0...Int64(Self.longestWait)) ?? 0
        guard let after else { return .now(Self.response(to: EventLog.Answer(events: [], next: self.events.last))) }
        let caller = call.caller
        let reply = self.events.reply(
            to: caller, after: after, wait: .seconds(wait),
            isVisible: { event in
                switch event.news {
                // Only operators may watch the playbacks of other applications.
                case .permissionAsked, .authorized: return caller.isOperator
                default: return true
                }
            },
            refusal: {
                do throws(AgentError) {
                    try self.check(caller)
                    return nil
                } catch {
                    return error.response
                }
            },
            response: Self.response)
        guard let reply else {
            throw AgentError(.tooManyRequests, "\(EventDesk.waitLimit) requests of this user wait for events already.")
        }
        return reply
    }

    static func number(
        _ name: String, _ query: HTTPParameters, in range: ClosedRange<Int64>
    ) throws(AgentError) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw AgentError(.badRequest, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func response(to answer: EventLog.Answer) -> HTTPResponse {
        AgentAnswer(.init("events", .array(answer.events.map(\.json))), .init("next", .integer(answer.next))).response
    }
}
