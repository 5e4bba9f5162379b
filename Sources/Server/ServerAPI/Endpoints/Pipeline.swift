import Clientless
import Entitlement
import HTTPServer
import Observability

/// The way of a call through one endpoint, the same on every face: bounds, who calls, the handler, and the words of
/// their errors.
final class Pipeline<F: Face>: Sendable {
    private let face: F
    private let facts: EndpointFacts
    private let handler: EndpointHandler<F>

    init(_ endpoint: Endpoint<F>, of face: F) {
        self.face = face
        self.facts = endpoint.facts
        self.handler = endpoint.handler
    }

    func addRoutes(to router: inout Router) {
        let group = CallGate(self.face, self.facts).group
        let reply = self.reply
        for call in self.facts.calls {
            router.on(
                call.method, path: call.path, name: self.facts.name, group: group,
                bodyLimit: self.facts.bodyLimit.rawValue
            ) { self.named(reply($0), to: $0) }
        }
    }

    /// The reply; what is logged on the way to one that takes time tells the request and the network it came from.
    private func named(_ reply: consuming HTTPReply, to request: HTTPRequest) -> HTTPReply {
        guard case .later(let answer, let beginsHere, _) = reply else { return reply }
        let addresses = self.face.authenticator.addresses
        return .later(answer, beginsHere: beginsHere) { begin in
            LogContext.with(
                {
                    var facts: LogFacts = [
                        .requestID: .text(request.id.description),
                        .network: .text(addresses.address(of: request).prefix),
                    ]
                    // A viewer reads out what a page calls its request.
                    if F.self == SecondScreen.self { facts[.reference] = .text(request.id.spoken) }
                    return facts
                }, begin)
        }
    }

    /// The replies of the handler, chosen once: to tell at each request which kind it is takes as long as two hashes.
    private var reply: @Sendable (HTTPRequest) -> HTTPReply {
        switch self.handler {
        case .immediate(let answer): { .now(answer(self.face, $0)) }
        case .visit(let answer): { request in .later { await answer(self.face, request, self.facts) } }
        case .open(let answer):
            self.bounded { request in
                .later {
                    let call = self.call(request)
                    return await self.answered(call, self.place(call, self.presumed(call))) {
                        try await answer(self.face, call)
                    }
                }
            }
        case .openPoll(let poller): self.bounded { self.polled(poller, self.call($0)) }
        case .device(let answer, let beginsHere):
            self.bounded { request in
                // Of a call with a body memory alone decides nothing.
                request.body.isEmpty
                    ? self.admitted(self.call(request), nil, answer)
                    : .later({ await self.served(self.call(request), answer) }, beginsHere: beginsHere)
            }
        case .devicePoll(let poller, let answer): self.bounded { self.admitted(self.call($0), poller, answer) }
        case .managed(let scopes, let answer):
            self.bounded { request in
                .later {
                    let call = self.call(request)
                    return await self.answered(call, self.place(call, nil)) {
                        let caller = try await self.face.authenticator.managementCaller(of: call, scopes)
                        return try await answer(self.face, (call, caller))
                    }
                }
            }
        }
    }

    private func bounded(
        _ reply: @escaping @Sendable (HTTPRequest) -> HTTPReply
    ) -> @Sendable (HTTPRequest) -> HTTPReply {
        { $0.parameters.exceed(pairs: Call.maximumPairs) ? .now(self.refusalOfPairs($0)) : reply($0) }
    }

    private func call(_ request: HTTPRequest) -> Call {
        Call(request, of: self.facts, now: self.face.context.now())
    }

    /// The requestor a call seems to be for, to word a refusal before it is known.
    private func presumed(_ call: Call) -> RequestorID? {
        guard self.facts.errors.mayBeEnhanced else { return nil }
        let name = self.facts.requestor.name(in: call.request, call.parameters.undeclared)
        return self.face.authenticator.presumedRequestor(of: call.request, named: name)
    }

    private func place(_ call: Call, _ requestor: RequestorID?) -> ErrorPlace {
        call.place(self.facts.errors, self.facts.errors.mayBeEnhanced ? requestor : nil)
    }

    private func refusalOfPairs(_ request: HTTPRequest) -> HTTPResponse {
        let place = ErrorPlace(
            preference: Call.preference(of: request, request.query), trace: request.id, wording: self.facts.errors,
            requestor: nil)
        return self.face.response(to: WireError(.badRequest, "Too many parameters"), in: place)
    }

    /// The answer, or what it threw in the words of the face.
    private func answered(
        _ call: Call, _ place: @autoclosure () -> ErrorPlace, _ answer: () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await answer()
        } catch {
            return self.face.response(to: error, in: place())
        }
    }
}

// Callers without a credential, and devices.
extension Pipeline {
    private func polled(_ poller: Poller<F, Call>, _ call: Call) -> HTTPReply {
        do {
            return try poller.reply(self.face, call, call.request, nil, call.now) ?? .now(self.notAPoll(call))
        } catch {
            return .now(self.face.response(to: error, in: self.place(call, self.presumed(call))))
        }
    }

    private func notAPoll(_ call: Call) -> HTTPResponse {
        self.face.response(
            to: EntitlementError(.internal, detail: "a poll without a question"), in: self.place(call, nil))
    }

    private func authenticated(_ call: Call) -> Authenticator.Outcome {
        let parameters = call.parameters.undeclared
        return self.face.authenticator.authenticate(
            call.request, parameters, for: self.facts.requestor.claim(in: call.request, parameters), now: call.now)
    }

    /// Authenticates a device as far as memory goes, and replies.
    ///
    /// A question to the store about the caller becomes the gate of its poll: the poll may be held, and a held poll
    /// has no task that could ask.
    private func admitted(
        _ call: Call, _ poller: Poller<F, DeviceCall>?, _ answer: EndpointHandler<F>.Answer<DeviceCall>?
    ) -> HTTPReply {
        let outcome = self.authenticated(call)
        switch consume outcome {
        case .refused(let error):
            return .now(self.face.response(to: error, in: self.place(call, self.presumed(call))))
        case .caller(let caller):
            if let poller, let reply = self.polled(poller, DeviceCall(call: call, caller: caller), nil) { return reply }
            return .later { await self.served(DeviceCall(call: call, caller: caller), nil, answer) }
        case .undecided(let undecided):
            // A client this node has not seen yet is answered at once, also if it would rather wait: who it is decides
            // what it may wait for. The next one can wait, and it is told that this server holds answers: a box that was
            // told nothing would not ask for that again, and of several nodes each is new to it once.
            if let poller, case .nonce(_, _, _, let caller) = undecided.question,
                let reply = self.polled(poller, DeviceCall(call: call, caller: caller), self.gate(call, undecided))
            {
                return reply
            }
            return .later { await self.settled(call, undecided, poller, answer) }
        }
    }

    private func polled(_ poller: Poller<F, DeviceCall>, _ device: DeviceCall, _ gate: PollGate?) -> HTTPReply? {
        do {
            try self.requireOrigin(of: device)
            return try poller.reply(self.face, device, device.call.request, gate, device.call.now)
        } catch {
            return .now(self.failed(device, error))
        }
    }

    private func gate(_ call: Call, _ undecided: Authenticator.Undecided) -> PollGate {
        // A held poll keeps this for a minute, so it holds what it needs and not the request.
        let (face, place) = (self.face, self.place(call, self.presumed(call)))
        return {
            guard case .failure(let error) = await face.authenticator.settle(undecided) else { return nil }
            return face.response(to: error, in: place)
        }
    }

    /// Authenticates a device and answers it, off the connection's thread.
    private func served(_ call: Call, _ answer: @escaping EndpointHandler<F>.Answer<DeviceCall>) async -> HTTPResponse {
        switch self.authenticated(call) {
        case .refused(let error):
            if error == .unauthenticated || error == .bearerMissing,
                let response = await self.face.answer(toUnproven: call)
            {
                return response
            }
            return self.face.response(to: error, in: self.place(call, self.presumed(call)))
        case .caller(let caller): return await self.served(DeviceCall(call: call, caller: caller), nil, answer)
        case .undecided(let undecided): return await self.settled(call, undecided, nil, answer)
        }
    }

    private func settled(
        _ call: Call, _ undecided: Authenticator.Undecided, _ poller: Poller<F, DeviceCall>?,
        _ answer: EndpointHandler<F>.Answer<DeviceCall>?
    ) async -> HTTPResponse {
        switch await self.face.authenticator.settle(undecided) {
        case .failure(let error): self.face.response(to: error, in: self.place(call, self.presumed(call)))
        case .success(let caller): await self.served(DeviceCall(call: call, caller: caller), poller, answer)
        }
    }

    private func served(
        _ device: DeviceCall, _ poller: Poller<F, DeviceCall>?, _ answer: EndpointHandler<F>.Answer<DeviceCall>?
    ) async -> HTTPResponse {
        do {
            try self.requireOrigin(of: device)
            let wait = PreferWait(of: device.call.request)
            if let response = try await poller?.answer(self.face, device, wait, device.call.now) { return response }
            guard let answer else { return self.notAPoll(device.call) }
            return try await answer(self.face, device)
        } catch {
            return self.failed(device, error)
        }
    }

    /// Looks at the page that calls once more (``CallGate``): only now the requestor of a bearer or of a body is known.
    private func requireOrigin(of device: DeviceCall) throws(WireError) {
        guard self.facts.limits.origins == .registered, let origin = device.call.request.headers["Origin"]
        else { return }
        guard self.face.context.origins.admits(origin, for: device.caller.requestor) else { throw .forbidden }
    }

    private func failed(_ device: DeviceCall, _ error: any Error) -> HTTPResponse {
        self.face.response(
            to: error, in: self.place(device.call, device.caller.requestor ?? self.presumed(device.call)))
    }
}
