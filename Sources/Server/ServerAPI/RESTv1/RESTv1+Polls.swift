import Clientless
import Entitlement
import HTTPServer

// `checkauthn/{code}`, `checkauthn`, `authenticate/{code}`, `tokens/authn` (rest-v1 13.5, 14).
//
// These are the hot path: until somebody signs in, everything here is a look into memory on the connection's thread.
extension RESTv1 {
    func addPollRoutes(to router: inout Router) {
        router.on(.get, path: "/api/v1/checkauthn/{code}", name: "checkauthn-code", group: self.throttled) {
            self.checkAuthentication(byCode: $0)
        }
        router.on(.get, path: "/api/v1/checkauthn", name: "checkauthn", group: self.throttled) {
            self.poll(byDevice: $0, .check)
        }
        router.on(.get, path: "/api/v1/authenticate/{code}", name: "authenticate-code", group: self.throttled) {
            self.pickUp(byCode: $0)
        }
        router.on(.get, path: "/api/v1/tokens/authn", name: "tokens-authn", group: self.throttled) {
            self.poll(byDevice: $0, .token)
        }
    }

    /// rest-v1 14.1. Asked by a page, so nobody is authenticated, whatever `Authorization` says.
    private func checkAuthentication(byCode request: HTTPRequest) -> HTTPReply {
        let call = Call(request, now: self.now())
        let address = self.address(of: request)
        if let wait = self.guessingPause(address, now: call.now) {
            return .now(Answer.error(.tooManyRequests(retryAfter: wait), call.format))
        }
        guard let name = call.requestorName, !name.isEmpty
        else { return .now(Answer.error(.missing("requestor"), call.format)) }
        guard let requestor = self.authenticator.requestors[name]
        else { return .now(Answer.error(.invalid("requestor"), call.format)) }
        guard let code = RegistrationCodeText(request.segment("code")) else {
            self.countGuess(address, now: call.now)
            return .now(self.polls.forbidden[call.format])
        }
        let poll = CodePoll(
            face: self, code: code, requestor: requestor, endpoint: .page(address: address),
            preference: call.preference, trace: request.id)
        return self.reply(to: poll, request, now: call.now)
    }

    /// rest-v1 14.2 and 14.3.
    private func poll(byDevice request: HTTPRequest, _ endpoint: DevicePoll.Endpoint) -> HTTPReply {
        let call = Call(request, now: self.now())
        return self.authenticated(call) { caller throws(WireError) in
            guard let requestor = caller.requestor else { throw .missing("requestor") }
            return DevicePoll(
                face: self, context: try self.context(of: call), requestor: requestor, endpoint: endpoint,
                preference: call.preference, trace: request.id)
        }
    }

    /// rest-v1 13.5.
    private func pickUp(byCode request: HTTPRequest) -> HTTPReply {
        let call = Call(request, now: self.now())
        return self.authenticated(call) { caller throws(WireError) in
            guard let requestor = caller.requestor else { throw .missing("requestor") }
            guard let code = RegistrationCodeText(request.segment("code")) else { throw .codeNotFound }
            return CodePoll(
                face: self, code: code, requestor: requestor, endpoint: .device, preference: call.preference,
                trace: request.id)
        }
    }

    /// Authenticates a poll and answers it.
    ///
    /// What only the store can tell of the caller becomes the poll's gate: the poll may be held, and a held poll has no
    /// task that could ask.
    private func authenticated<Question: Poll>(
        _ call: Call, _ question: @escaping @Sendable (Caller) throws(WireError) -> Question
    ) -> HTTPReply {
        let claim = RequestorClaim.parameter(call.requestorName)
        let outcome = self.authenticator.authenticate(call.request, call.parameters, for: claim, now: call.now)
        var requestor: RequestorID?
        do throws(WireError) {
            switch outcome {
            case .refused(let error): throw error
            case .caller(let caller):
                requestor = caller.requestor
                return self.reply(to: try question(caller), call.request, now: call.now)
            case .undecided(let undecided):
                guard case .nonce(_, _, _, let caller) = undecided.question
                else { return self.replyOnceKnown(call, claim, undecided, question) }
                return self.reply(
                    to: try question(caller), call.request, gate: self.gate(call, claim, undecided), now: call.now)
            }
        } catch {
            return .now(self.answer(error, call, .authentication, for: requestor ?? self.presumed(call, claim)))
        }
    }

    private func gate(
        _ call: Call, _ claim: RequestorClaim, _ undecided: Authenticator.Undecided
    ) -> @Sendable () async -> HTTPResponse? {
        // A held poll keeps this for a minute, so it holds what it needs and not the request.
        let (authenticator, format) = (self.authenticator, call.format)
        let style = self.styles.style(for: self.presumed(call, claim), trace: call.request.id)
        return {
            guard case .failure(let error) = await authenticator.settle(undecided) else { return nil }
            return Answer.error(error, format, style)
        }
    }

    /// For a client this node has not seen before. Its poll is answered at once, also if it would rather wait: who it
    /// is decides what it may wait for. The next one can wait.
    private func replyOnceKnown<Question: Poll>(
        _ call: Call, _ claim: RequestorClaim, _ undecided: Authenticator.Undecided,
        _ question: @escaping @Sendable (Caller) throws(WireError) -> Question
    ) -> HTTPReply {
        .later {
            var requestor: RequestorID?
            do throws(WireError) {
                let caller = try await self.authenticator.settle(undecided).get()
                requestor = caller.requestor
                return await (try question(caller)).answer(now: call.now)
            } catch {
                return self.answer(error, call, .authentication, for: requestor ?? self.presumed(call, claim))
            }
        }
    }

    /// A poll whose answer only the store had, and the store did not give it.
    func pollFailed(
        _ error: EntitlementError, _ requestor: RequestorID, _ format: WireFormat, trace: RequestID
    ) -> HTTPResponse {
        Answer.error(WireError(error), format, self.styles.style(for: requestor, trace: trace))
    }
}
