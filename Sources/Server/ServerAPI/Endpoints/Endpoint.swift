import Clientless
import HTTPServer

/// One endpoint of a face: which calls reach it, who may call, what bounds it, what it takes, what it answers, and the
/// handler that answers.
///
/// This is the only place where an endpoint is said. The routes, the checks of the ``Pipeline`` and the description
/// all come from it.
struct Endpoint<F: Face>: Sendable {
    let facts: EndpointFacts
    let handler: EndpointHandler<F>

    /// - Parameters:
    ///   - name: names the routes in logs and counters; several endpoints may share one.
    ///   - tag: the chapter of the description; `nil` keeps it out.
    ///   - fields: every parameter the handler reads; reading another stops a debug build.
    ///   - answers: every status the handler may answer with; another stops a debug build.
    init(
        _ calls: [EndpointFacts.Call], name: String, _ tag: APITag?, _ summary: String, _ text: String = "",
        section: String, requestor: RequestorPlace, limits: Limits, bodyLimit: EndpointFacts.BodyLimit,
        headers: [APIField] = [], fields: [APIField], body: EndpointFacts.Body = .form, answers: [APIAnswer],
        errors: ErrorWording, handler: EndpointHandler<F>
    ) {
        self.facts = EndpointFacts(
            calls, name: name, tag, summary, text, section: section, access: handler.access, requestor: requestor,
            limits: limits, bodyLimit: bodyLimit, headers: headers, fields: fields, body: body, answers: answers,
            errors: errors)
        self.handler = handler
    }
}

/// The handler of a call, by its needs.
enum EndpointHandler<F: Face>: Sendable {
    typealias Answer<Input> = @Sendable (F, Input) async throws -> HTTPResponse

    /// Answers every caller at once, on the connection's own thread.
    case immediate(@Sendable (F, HTTPRequest) -> HTTPResponse)
    /// Answers a browser with whatever page it should see.
    case visit(@Sendable (F, HTTPRequest, EndpointFacts) async -> HTTPResponse)
    /// Answers every caller, whose call was read.
    case open(Answer<Call>)
    case openPoll(Poller<F, Call>)
    /// Answers a device whose credential was checked. Of a call with a body even the check is off the connection's own
    /// thread, unless it begins here (``HTTPReply/later(_:beginsHere:within:)``).
    case device(Answer<DeviceCall>, beginsHere: Bool = false)
    /// Answers its poll, or what memory can answer; any other call goes to the other handler.
    case devicePoll(Poller<F, DeviceCall>, orElse: Answer<DeviceCall>? = nil)
    case managed(ManagementScopes, Answer<ManagementCall>)

    var access: EndpointFacts.Access {
        switch self {
        case .immediate, .visit, .open, .openPoll: .everybody
        case .device, .devicePoll: .device
        case .managed(let scopes, _): .bearer(scopes)
        }
    }
}

/// Makes a ``Poll`` out of a call and answers it, or answers it from memory.
struct Poller<F: Face, Input: Sendable>: Sendable {
    /// Replies from memory, or with a held answer. `nil` when the call is no poll.
    let reply: @Sendable (F, Input, HTTPRequest, PollGate?, Timestamp) throws -> HTTPReply?
    /// Answers with what memory or the store say now.
    let answer: @Sendable (F, Input, PreferWait?, Timestamp) async throws -> HTTPResponse?

    /// - Parameter question: reads the question; `nil` for a call that does not poll.
    init<Question: Poll>(_ question: @escaping @Sendable (F, Input) throws -> Question?) {
        self.reply = { face, input, request, gate, now in
            guard let question = try question(face, input) else { return nil }
            return face.context.polls.reply(to: question, request, gate: gate, now: now)
        }
        self.answer = { face, input, wait, now in
            guard let question = try question(face, input) else { return nil }
            return await question.answer(now: now, for: wait)
        }
    }

    /// Answers on the connection's thread what memory alone can, and leaves everything else to the other handler.
    init(memory: @escaping @Sendable (F, Input) throws -> HTTPResponse?) {
        self.reply = { face, input, _, gate, _ in gate == nil ? try memory(face, input).map { .now($0) } : nil }
        self.answer = { _, _, _, _ in nil }
    }
}

/// A call of a device whose credential was checked.
struct DeviceCall: Sendable {
    let call: Call
    let caller: Caller

    func requestor() throws(WireError) -> RequestorID {
        guard let requestor = self.caller.requestor else { throw .missing("requestor") }
        return requestor
    }
}

/// A call of a management client that was found to have the scope it needs.
typealias ManagementCall = (call: Call, caller: ManagementCaller)
