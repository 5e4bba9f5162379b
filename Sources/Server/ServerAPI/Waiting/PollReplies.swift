import Clientless
import Entitlement
import HTTPServer

/// Replies to the polls of every face: at once, or when the answer changes if the caller would rather wait
/// (sdk-services 8).
struct PollReplies: Sendable {
    let room: WaitingRoom
    let clock: @Sendable () -> Timestamp

    /// - Parameter gate: what must be asked of the store before anything may be answered; see ``HeldPoll/Gate``.
    func reply<Question: Poll>(
        to question: Question, _ request: HTTPRequest, gate: HeldPoll<Question>.Gate? = nil, now: Timestamp
    ) -> HTTPReply {
        let known = question.lookInMemory(now: now)
        guard let wait = PreferWait(of: request) else {
            return self.immediateReply(to: question, known, gate: gate, now: now)
        }
        if gate == nil, let known, !question.isPending(known) {
            return .now(question.response(to: known, now: now).setting("Preference-Applied", wait.applied))
        }
        let poll = HeldPoll(question, wait: wait, first: known, gate: gate, in: self.room, now: self.clock)
        return poll.hold() ?? self.immediateReply(to: question, known, gate: gate, now: now)
    }

    private func immediateReply<Question: Poll>(
        to question: Question, _ known: Question.Mark?, gate: HeldPoll<Question>.Gate?, now: Timestamp
    ) -> HTTPReply {
        if gate == nil, let known { return .now(question.response(to: known, now: now)) }
        return .later {
            if let refusal = await gate?() { return refusal }
            return await question.answer(now: now)
        }
    }

    /// Authenticates a poll and answers it.
    ///
    /// What only the store can tell of the caller becomes the poll's gate: the poll may be held, and a held poll has no
    /// task that could ask.
    /// - Parameters:
    ///   - refusal: words what is wrong with the caller.
    ///   - question: what the caller asks, once it is known.
    func reply<Question: Poll>(
        to call: Call, _ authenticator: Authenticator, refusal: @escaping @Sendable (WireError) -> HTTPResponse,
        question: @escaping @Sendable (Caller) throws(PollRefusal) -> Question
    ) -> HTTPReply {
        let outcome = authenticator.authenticate(
            call.request, call.parameters, for: .parameter(call.requestorName), now: call.now)
        do throws(PollRefusal) {
            switch outcome {
            case .refused(let error): return .now(refusal(error))
            case .caller(let caller):
                return self.reply(to: try question(caller), call.request, now: call.now)
            case .undecided(let undecided):
                guard case .nonce(_, _, _, let caller) = undecided.question
                else { return Self.replyOnceKnown(call, authenticator, undecided, refusal, question) }
                return self.reply(
                    to: try question(caller), call.request,
                    gate: {
                        guard case .failure(let error) = await authenticator.settle(undecided) else { return nil }
                        return refusal(error)
                    }, now: call.now)
            }
        } catch {
            return .now(error.response)
        }
    }

    /// For a client this node has not seen before. Its poll is answered at once, also if it would rather wait: who it
    /// is decides what it may wait for. The next one can wait.
    private static func replyOnceKnown<Question: Poll>(
        _ call: Call, _ authenticator: Authenticator, _ undecided: Authenticator.Undecided,
        _ refusal: @escaping @Sendable (WireError) -> HTTPResponse,
        _ question: @escaping @Sendable (Caller) throws(PollRefusal) -> Question
    ) -> HTTPReply {
        .later {
            switch await authenticator.settle(undecided) {
            case .failure(let error): return refusal(error)
            case .success(let caller):
                do throws(PollRefusal) {
                    return await (try question(caller)).answer(now: call.now)
                } catch {
                    return error.response
                }
            }
        }
    }
}

/// A poll that is no question, with the words of its face.
struct PollRefusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) {
        self.response = response
    }
}
