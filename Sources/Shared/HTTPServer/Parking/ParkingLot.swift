import Glibc
import POSIX
import Synchronization

/// Holds the sockets of requests that wait, outside libmicrohttpd.
///
/// A connection suspended in libmicrohttpd keeps its buffer: a few pages, or all eighty kilobytes when an earlier
/// request on it was answered, since the buffer is cleared between requests. And a suspended connection does not
/// notice that its client has left. So the socket is duplicated, libmicrohttpd closes its descriptor (without a
/// `shutdown`, see `DaemonOptions`), and what is left of a waiting request is a descriptor and a few hundred bytes. One
/// thread waits for clients that leave; the caller that completes a reply writes the answer.
final class ParkingLot: Sendable {
    enum Outcome {
        case parked
        /// The reply had been completed before it could be parked.
        case answered(HTTPResponse)
        /// The client left at this very moment.
        case clientGone
        /// Too many are held, or the server stops.
        case full
    }

    struct Limits: Sendable {
        let total: Int
        /// 0 is no limit.
        let perAddress: Int
        /// Microseconds after which a request that its owner seems to have forgotten gets 503.
        let time: Int
    }

    private struct State {
        var parked: [Int32: ParkedConnection] = [:]
        var lingering: [Int32: LingeringSocket] = [:]
        /// Held requests whose connections stay where they are.
        var placeCount = 0
        /// Those of them whose clients are watched: under TLS libmicrohttpd keeps the connection, suspended.
        var watched: [Int32: (tag: UInt64, suspension: Suspension)] = [:]
        /// By `IPAddress.limitKey`; kept only when there is a limit.
        var parkedOfAddress: [IPAddress: Int] = [:]
        var lingeringOfAddress: [IPAddress: Int] = [:]
        var lastSerial: UInt32 = 0
        var takesMore = true
        var isClosed = false

        /// All that the total limit bounds.
        var count: Int { self.parked.count + self.lingering.count + self.placeCount }

        mutating func forget(_ socket: LingeringSocket) {
            self.lingering[socket.socket] = nil
            Self.uncount(socket.remoteAddress, in: &self.lingeringOfAddress)
        }

        mutating func forget(_ connection: ParkedConnection) {
            self.parked[connection.socket] = nil
            Self.uncount(connection.request.remoteAddress, in: &self.parkedOfAddress)
        }

        mutating func nextTag(_ socket: Int32) -> UInt64 {
            self.lastSerial &+= 1
            return ParkedConnection.tag(socket: socket, serial: self.lastSerial)
        }

        mutating func giveBackPlace(_ address: IPAddress) {
            self.placeCount -= 1
            Self.uncount(address, in: &self.parkedOfAddress)
        }

        private static func uncount(_ address: IPAddress, in counts: inout [IPAddress: Int]) {
            guard let key = address.limitKey, let count = counts[key] else { return }
            counts[key] = count > 1 ? count - 1 : nil
        }
    }

    private let limits: Limits
    private let accounts: ServerAccounts
    private let events: EventSet
    private let state = Mutex(State())
    private let ended = Announcement<Void>()
    /// Whether the thread may be waiting for `beginWatching`.
    private let isAsleep = Atomic<Bool>(false)

    /// - Returns: `nil` when the process may open no more files.
    init?(limits: Limits, accounts: ServerAccounts) {
        guard let events = EventSet() else { return nil }
        self.limits = limits
        self.accounts = accounts
        self.events = events
    }

    var count: Int { self.state.withLock { $0.parked.count + $0.placeCount } }
    var placeCount: Int { self.state.withLock(\.placeCount) }

    // MARK: Parking

    func park(_ reply: HeldReply, descriptor: Int32, _ request: ParkedRequest) -> Outcome {
        guard let connection = self.admit(reply, descriptor, request) else { return .full }
        guard self.events.add(connection.socket, EventSet.peerClosed, tag: connection.tag) else {
            if self.take(connection) { close(connection.socket) }
            return .full
        }
        // Another thread may answer from the moment the reply knows its holder.
        guard let response = reply.hold(by: connection) else { return .parked }
        guard self.take(connection) else { return .clientGone }
        self.events.remove(connection.socket)
        close(connection.socket)
        return .answered(response)
    }

    private func admit(_ reply: HeldReply, _ descriptor: Int32, _ request: ParkedRequest) -> ParkedConnection? {
        self.state.withLock { state in
            guard state.takesMore, state.count < self.limits.total else { return nil }
            let socket = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard socket >= 0 else { return nil }
            guard self.count(request.remoteAddress, in: &state.parkedOfAddress) else {
                close(socket)
                return nil
            }
            let connection = ParkedConnection(
                socket: socket, tag: state.nextTag(socket), request: request, reply: reply, lot: self)
            state.parked[socket] = connection
            return connection
        }
    }

    /// Counts a held request whose connection stays where it is, as under TLS, until `giveBackPlace`.
    /// - Returns: `false` when too many are held, or the server stops.
    func takePlace(for address: IPAddress) -> Bool {
        self.state.withLock { state in
            guard state.takesMore, state.count < self.limits.total,
                self.count(address, in: &state.parkedOfAddress)
            else { return false }
            state.placeCount += 1
            return true
        }
    }

    func giveBackPlace(of address: IPAddress) { self.state.withLock { $0.giveBackPlace(address) } }

    /// Resumes a suspended connection when its client leaves, or at another event: libmicrohttpd asks nothing of a connection
    /// while it is suspended. To be called on the connection's thread, and `unwatch` before libmicrohttpd has it again.
    /// - Returns: `false` when it has no place in the set. A request is then held until its time is over.
    @discardableResult
    func watch(_ suspension: Suspension, on socket: Int32, for event: UInt32 = EventSet.peerClosed) -> Bool {
        self.state.withLock { state in
            let tag = state.nextTag(socket)
            guard self.events.add(socket, event, tag: tag) else { return false }
            state.watched[socket] = (tag, suspension)
            return true
        }
    }

    func unwatch(_ socket: Int32) {
        self.state.withLock { state in
            guard state.watched.removeValue(forKey: socket) != nil else { return }
            self.events.remove(socket)
        }
    }

    /// Counts a socket of `address`. - Returns: `false` when the address has its share.
    private func count(_ address: IPAddress, in counts: inout [IPAddress: Int]) -> Bool {
        guard self.limits.perAddress > 0, let key = address.limitKey else { return true }
        guard counts[key, default: 0] < self.limits.perAddress else { return false }
        counts[key, default: 0] += 1
        return true
    }

    /// Takes the connection out of the table. - Returns: whether it was there, and the socket is now the caller's.
    private func take(_ connection: ParkedConnection) -> Bool {
        self.state.withLock { Self.take(connection, from: &$0) }
    }

    private static func take(_ connection: ParkedConnection, from state: inout State) -> Bool {
        guard state.parked[connection.socket] === connection else { return false }
        state.forget(connection)
        return true
    }

    // MARK: Answering

    /// Writes the answer, on the calling thread: the socket takes a whole answer but from a client that reads nothing.
    func answer(_ connection: ParkedConnection, with response: HTTPResponse) {
        guard self.take(connection) else { return }
        let request = connection.request
        let decorated = request.route.decorated(response)
        let bytes = RawResponse.bytes(decorated, isHead: request.isHead, date: HTTPDate.text())
        let now = MonotonicTime.now()
        var socket = LingeringSocket(
            socket: connection.socket, tag: connection.tag, remoteAddress: request.remoteAddress,
            deadline: now + LingeringSocket.patience, unsent: bytes[...])
        let isAlive = socket.send()
        self.state.withLock { state in
            // Closed under the lock, because the thread's last act is to close everything that is in the table.
            guard isAlive, !state.isClosed,
                self.events.change(socket.socket, to: socket.interest, tag: socket.tag),
                self.count(socket.remoteAddress, in: &state.lingeringOfAddress)
            else {
                close(socket.socket)
                return
            }
            state.lingering[socket.socket] = socket
        }
        // The thread may have found the lot empty in between, and has to look at the socket's deadline.
        self.beginWatching()
        self.accounts.answered(
            request.route, decorated.status, bodySize: decorated.sentBody.count, to: request.remoteAddress,
            duration: now - request.started, wasHeld: true)
    }

    /// Sends the last answer on a connection that libmicrohttpd is about to close, and waits until it is read.
    /// - Returns: `false` when there is no room to wait; then nothing was sent.
    func linger(_ descriptor: Int32, sending bytes: [UInt8], to address: IPAddress) -> Bool {
        let now = MonotonicTime.now()
        return self.state.withLock { state in
            guard !state.isClosed, state.count < self.limits.total,
                self.count(address, in: &state.lingeringOfAddress)
            else { return false }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            let tag = state.nextTag(copy)
            var socket = LingeringSocket(
                socket: copy, tag: tag, remoteAddress: address, deadline: now + LingeringSocket.patience,
                unsent: bytes[...])
            guard copy >= 0, self.events.add(copy, EventSet.readable, tag: tag) else {
                state.forget(socket)
                if copy >= 0 { close(copy) }
                return false
            }
            guard socket.send(), self.events.change(copy, to: socket.interest, tag: tag) else {
                state.forget(socket)
                close(copy)
                return true
            }
            state.lingering[copy] = socket
            return true
        }
    }

    // MARK: The thread

    /// Watches the sockets until `stop`. Blocks its thread.
    /// - Parameters:
    ///   - interval: the microseconds from one `tick` to the next.
    ///   - isQuiet: whether `tick` is of no use, as there is no connection. Without one, and with nothing held, the
    ///     thread sleeps until `beginWatching`.
    func watch(every interval: Int, unless isQuiet: () -> Bool, tick: (_ now: Int) -> Void) {
        let pause = Int32(clamping: max(1, interval / 1000))
        var nextTick = MonotonicTime.now() + interval
        while !self.state.withLock(\.isClosed) {
            self.isAsleep.store(true, ordering: .sequentiallyConsistent)
            // Connections first: one that is parked enters the lot before it leaves them. One that is admitted after this
            // look finds the mark above.
            let isIdle = isQuiet() && self.state.withLock { $0.count == 0 && $0.watched.isEmpty }
            if !isIdle { self.isAsleep.store(false, ordering: .sequentiallyConsistent) }
            for event in self.events.wait(milliseconds: isIdle ? -1 : pause) where event.tag != EventSet.wakeTag {
                self.handle(event)
            }
            let now = MonotonicTime.now()
            guard now >= nextTick else { continue }
            nextTick = now + interval
            self.closeLingering(until: now)
            self.answerForgotten(at: now)
            tick(now)
        }
        self.ended.make(.success(()))
    }

    /// Wakes the thread, should it sleep: there is a connection.
    func beginWatching() {
        guard self.isAsleep.load(ordering: .sequentiallyConsistent),
            self.isAsleep.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        self.events.wake()
    }

    /// Handles what happened to a socket. The event may be an earlier one's: a descriptor is given out again as soon as it
    /// is closed, and its tag tells the two apart.
    func handle(_ event: EventSet.Event) {
        let socket = Int32(bitPattern: UInt32(truncatingIfNeeded: event.tag))
        if let suspension = self.takeWatched(socket, event.tag) {
            // Without a reply it is a handshake, whose client has spoken or left.
            if let reply = suspension.reply {
                suspension.isGone.store(true, ordering: .relaxed)
                self.accounts.refused(.heldClientGone)
                reply.abandon()
            }
            suspension.send(Self.unavailable)
            return
        }
        let gone: ParkedConnection? = self.state.withLock { state in
            if let connection = state.parked[socket], connection.tag == event.tag {
                if event.flags & EventSet.broken == 0, self.keepHalfClosed(connection) { return nil }
                _ = Self.take(connection, from: &state)
                close(socket)
                return connection
            }
            if let lingering = state.lingering[socket], lingering.tag == event.tag {
                self.continue(lingering, in: &state)
            }
            return nil
        }
        guard let gone else { return }
        self.accounts.refused(.heldClientGone)
        gone.reply.abandon()
    }

    /// The connection of a client that has closed its side. It cannot be asked whether it still reads, as
    /// `keepHalfClosed` does, since only libmicrohttpd's thread may write under TLS. If it does, it is told to come again.
    private func takeWatched(_ socket: Int32, _ tag: UInt64) -> Suspension? {
        self.state.withLock { state in
            guard let watched = state.watched[socket], watched.tag == tag else { return nil }
            state.watched[socket] = nil
            self.events.remove(socket)
            return watched.suspension
        }
    }

    /// Goes on holding the request of a client that will send nothing more, and may still read: it gets its answer.
    ///
    /// A client that has closed its socket altogether looks the same over TCP until something is sent to it. So it is
    /// sent an interim answer, which every client of HTTP/1.1 skips (RFC 9110 15.2): one that has left answers with a reset,
    /// and that is an event of its own.
    /// - Returns: `false` when the client is gone.
    private func keepHalfClosed(_ connection: ParkedConnection) -> Bool {
        guard self.events.change(connection.socket, to: 0, tag: connection.tag) else { return false }
        guard !connection.request.isVersion10 else { return true }
        let probe = RawResponse.goOn
        return unsafe send(connection.socket, probe, probe.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            == probe.count
    }

    private func `continue`(_ socket: LingeringSocket, in state: inout State) {
        var socket = socket
        let isUnsent = socket.interest == EventSet.writable
        let isAlive = isUnsent ? socket.send() : socket.discardInput()
        guard isAlive else {
            state.forget(socket)
            close(socket.socket)
            return
        }
        if isUnsent { _ = self.events.change(socket.socket, to: socket.interest, tag: socket.tag) }
        state.lingering[socket.socket] = socket
    }

    private func closeLingering(until now: Int) {
        self.state.withLock { state in
            for socket in state.lingering.values where socket.deadline <= now {
                state.forget(socket)
                close(socket.socket)
            }
        }
    }

    private func answerForgotten(at now: Int) {
        let forgotten = self.state.withLock { state in
            state.parked.values.filter { $0.request.started + self.limits.time <= now }
        }
        for connection in forgotten { connection.reply.complete(Self.unavailable) }
    }

    static let unavailable = HTTPResponse.text("Service Unavailable\n", status: .serviceUnavailable)
        .setting("Retry-After", "1")

    // MARK: Stopping

    /// Answers everything that is still held with 503; nothing more is held after that.
    func empty() {
        let connections = self.state.withLock { state in
            state.takesMore = false
            return Array(state.parked.values)
        }
        for connection in connections { connection.reply.complete(Self.unavailable) }
    }

    /// Ends `watch` and closes what is left.
    func stop() async {
        self.empty()
        self.state.withLock { state in
            state.isClosed = true
            for socket in state.lingering.keys { close(socket) }
            state.lingering = [:]
        }
        self.events.wake()
        // `ended` announces the end and nothing else.
        try? await self.ended.value
    }
}
