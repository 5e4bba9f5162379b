import POSIX
import Synchronization

/// One request on its way through the callbacks of a connection, from its request line to the end of its answer.
///
/// Only the thread of its connection touches it. libmicrohttpd carries the reference between the callbacks.
final class Exchange {
    /// The next step of the callback.
    enum Step {
        /// Wait for more of the request.
        case proceed
        case answer(HTTPResponse)
        /// Answer, and close: where the next request begins is not known.
        case refuse(HTTPResponse)
        /// Suspend the connection until the answer is there.
        case suspend(HTTPReply)
        /// The socket has another owner, or the client deserves no answer: close ours.
        case close
    }

    private enum Phase {
        case requestLine
        case body
        case discarding(Int)
        case suspended(Suspension)
        case answered
        case handedOver
    }

    let connection: ConnectionRecord
    private let core: ServerCore
    private let routes: RouteTable
    private let isSecure: Bool
    private let started = MonotonicTime.now()
    private let id = RequestID.next()
    private var phase = Phase.requestLine
    private var isInFlight = false
    /// Whether it is counted among the held requests of the lot.
    private var hasPlace = false
    /// Let go of once the handler has it: while an answer is awaited, nothing of the request is kept.
    private var target: [UInt8]
    /// libmicrohttpd's place of the target, and its size; to be compared, not to be read.
    let targetPlace: (address: UInt, size: Int)
    private var method = HTTPMethod.get
    private var isVersion10 = false
    private var headers = HTTPHeaders()
    private var body: [UInt8] = []
    private var bodyLimit = 0
    private var isChunked = false
    /// Looked for ahead when a body comes.
    private var branch: RouteBranch?
    private var route: MatchedRoute?
    private var answer: (status: HTTPStatus, bodySize: Int)?
    /// The answer that was lent to this request, to be given back when it has ended.
    var stocked: StockedResponse?

    init(target: [UInt8], targetAddress: UInt, connection: ConnectionRecord, core: ServerCore, isSecure: Bool) {
        self.target = target
        self.targetPlace = (targetAddress, target.count)
        self.connection = connection
        self.core = core
        self.routes = core.routes.table
        self.isSecure = isSecure
        connection.begin(by: self.started + core.limits.requestTime)
    }

    var isRequestLineOnly: Bool { if case .requestLine = self.phase { true } else { false } }

    /// Whether its body is being received in chunks, whose lines libmicrohttpd reads.
    var isReceivingChunks: Bool { if case .body = self.phase { self.isChunked } else { false } }

    // MARK: Receiving

    /// The headers are complete. - Parameter headers: `nil` when the head is malformed.
    func receive(method: HTTPMethod, headers: HTTPHeaders?, isVersion10: Bool) -> Step {
        self.method = method
        self.isVersion10 = isVersion10
        self.phase = .body
        guard let headers,
            unsafe !self.target.withUnsafeBytes({ unsafe HTTPHeaders.hasControlCharacter($0, orSpace: true) })
        else {
            return self.refuseAndClose(.badRequest, .badFraming)
        }
        self.headers = headers
        let framing = RequestFraming(headers, isVersion10: isVersion10, limits: self.core.limits) {
            self.branch = self.routes.branch(ofTarget: self.target)
            return self.branch?.route(for: method)?.bodyLimit
        }
        switch framing {
        case .expected(let size, let limit):
            self.bodyLimit = limit
            self.isChunked = size == nil
            // Reserving nothing would allocate, too.
            if let size, size > 0 { self.body.reserveCapacity(size) }
            return .proceed
        case .discarded:
            self.phase = .discarding(0)
            return .proceed
        case .refused:
            return self.refuseAndClose(.contentTooLarge, .bodyTooLarge)
        case .unclear:
            return self.refuseAndClose(.badRequest, .badFraming)
        }
    }

    /// Refuses the request before libmicrohttpd does, whose answer then finds the socket shut. Later calls do nothing.
    func refuseAhead() {
        guard self.isRequestLineOnly || self.isReceivingChunks else { return }
        switch self.refuseAndClose(.badRequest, .badFraming) {
        case .refuse: self.connection.shutDown()
        case .proceed, .answer, .suspend, .close: return
        }
    }

    /// A part of the body has come.
    func receive(_ part: UnsafeRawBufferPointer) -> Step {
        switch self.phase {
        case .body where self.body.count + part.count <= self.bodyLimit:
            unsafe self.body.append(contentsOf: part)
        case .body:
            return self.refuseAndClose(.contentTooLarge, .bodyTooLarge)
        case .discarding(let count):
            guard count + part.count <= self.core.limits.discardedSize else { return .close }
            self.phase = .discarding(count + part.count)
        case .requestLine, .suspended, .answered, .handedOver:
            return .close
        }
        return .proceed
    }

    /// The request is complete, or the connection has been resumed.
    func reply() -> Step {
        switch self.phase {
        case .body:
            self.connection.expect(by: .max)
            self.beginAnswering()
            return self.handle(self.routes.dispatch(self.takeRequest(), self.branch))
        case .discarding:
            self.beginAnswering()
            return self.refuse(.contentTooLarge, .bodyTooLarge)
        case .suspended(let suspension):
            guard let response = suspension.takeAnswer() else { return .proceed }
            if self.hasPlace { self.core.lot.unwatch(self.connection.descriptor) }
            // The lot has counted a client that left. One that has closed only its side still gets the answer.
            defer { if suspension.isGone.load(ordering: .relaxed) { self.phase = .handedOver } }
            return self.answer(with: response)
        case .requestLine, .answered, .handedOver:
            return .close
        }
    }

    /// From now on stopping waits for this request. Not before: a body that never comes to its end would hold a stop.
    private func beginAnswering() {
        self.isInFlight = true
        self.core.inFlight.begin()
    }

    private func takeRequest() -> HTTPRequest {
        HTTPRequest(
            HTTPRequest.Message(
                method: self.method, target: exchange(&self.target, with: []),
                headers: exchange(&self.headers, with: HTTPHeaders()), body: exchange(&self.body, with: []),
                remoteAddress: self.connection.remoteAddress, remotePort: self.connection.remotePort,
                peer: self.connection.peer, isSecure: self.isSecure, id: self.id,
                normaliser: self.routes.router.normaliser))
    }

    private func refuse(_ status: HTTPStatus, _ reason: ServerAccounts.Refusal) -> Step {
        self.core.accounts.refused(reason)
        return self.handle(self.routes.refusal(self.takeRequest(), status))
    }

    /// Answers past libmicrohttpd, and lets go of the connection in the parking lot, which waits until the client has read
    /// the answer. libmicrohttpd would close with input unread, and the reset could overtake the answer; and it takes no
    /// answer before the end of a body.
    private func refuseAndClose(_ status: HTTPStatus, _ reason: ServerAccounts.Refusal) -> Step {
        guard case .answer(let response) = self.refuse(status, reason) else { return .close }
        let bytes = RawResponse.bytes(response, isHead: self.method == .head, date: HTTPDate.text())
        guard let tls = self.connection.tls else { return self.linger(sending: bytes) ? .close : .refuse(response) }
        // A client that has not read what was sent to it before gets no answer.
        if tls.sendLast(bytes) { _ = self.linger(sending: []) } else { self.connection.shutDown() }
        return .close
    }

    private func linger(sending bytes: [UInt8]) -> Bool {
        self.core.lot.linger(self.connection.descriptor, sending: bytes, to: self.connection.remoteAddress)
    }

    // MARK: Answering

    private func handle(_ routed: consuming RoutedReply) -> Step {
        self.route = routed.route
        let reply = (consume routed).reply
        switch consume reply {
        case .now(let response): return self.answer(with: response)
        case .later(let work, let here, let scope): return .suspend(.later(work, beginsHere: here, within: scope))
        case .held(let reply): return self.isSecure ? self.suspendHeld(reply) : self.park(reply)
        }
    }

    private func answer(with response: consuming HTTPResponse) -> Step {
        let decorated = if let route = self.route { route.decorated(response) } else { response }
        self.phase = .answered
        // A client that reads a byte now and then would never be idle.
        self.connection.expect(by: MonotonicTime.now() + self.core.limits.requestTime)
        self.answer = (decorated.status, decorated.sentBody.count)
        return .answer(decorated)
    }

    func suspend(_ suspension: Suspension) { self.phase = .suspended(suspension) }

    /// Takes the socket away from libmicrohttpd and holds it where it costs little.
    private func park(_ reply: HeldReply) -> Step {
        guard let route = self.route else { return .close }
        let outcome = self.core.lot.park(
            reply, descriptor: self.connection.descriptor,
            ParkedRequest(
                route: route, remoteAddress: self.connection.remoteAddress, started: self.started,
                isHead: self.method == .head, isVersion10: self.isVersion10))
        switch outcome {
        case .parked, .clientGone:
            self.phase = .handedOver
            return .close
        case .answered(let response):
            return self.answer(with: response)
        case .full:
            return self.refuseHolding(reply)
        }
    }

    /// Under TLS the connection cannot leave the library that has its keys: it is suspended, and keeps its buffers.
    private func suspendHeld(_ reply: HeldReply) -> Step {
        self.hasPlace = self.core.lot.takePlace(for: self.connection.remoteAddress)
        return self.hasPlace ? .suspend(.held(reply)) : self.refuseHolding(reply)
    }

    private func refuseHolding(_ reply: HeldReply) -> Step {
        // A server that stops completes its replies, and then holds nothing more. Both may happen before the handler has
        // returned its reply.
        if let response = reply.abandon() { return self.answer(with: response) }
        self.core.accounts.refused(.tooManyHeld)
        return self.answer(with: ParkingLot.unavailable)
    }

    // MARK: Ending

    /// - Parameter isLate: whether it took too long.
    func end(isLate: Bool) {
        if self.isInFlight { self.core.inFlight.end() }
        if self.hasPlace {
            self.core.lot.unwatch(self.connection.descriptor)
            self.core.lot.giveBackPlace(of: self.connection.remoteAddress)
        }
        let now = MonotonicTime.now()
        defer { self.connection.rest(at: now, until: now + self.core.limits.gapTime) }
        if case .handedOver = self.phase { return }
        // libmicrohttpd may look for the client before it asks for the answer.
        if case .suspended(let suspension) = self.phase, suspension.isGone.load(ordering: .relaxed) { return }
        guard let route = self.route, let answer = self.answer else {
            self.core.accounts.refused(isLate || self.connection.wasLate ? .timedOut : .aborted)
            return
        }
        self.core.accounts.answered(
            route, answer.status, bodySize: answer.bodySize, to: self.connection.remoteAddress,
            duration: now - self.started, wasHeld: self.hasPlace)
    }
}
