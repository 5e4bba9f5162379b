import Dispatch
import Glibc
import POSIX
import Synchronization

/// The record of an open connection beyond its requests.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    let remoteAddress: IPAddress
    let remotePort: UInt16?
    /// The process at the other end, where it is asked for.
    let peer: UnixPeer?
    /// When the request that is being received must be complete, in microseconds of `MonotonicTime`.
    private let deadline: Atomic<Int>
    /// Since when no request is under way, in microseconds of `MonotonicTime`; `.max` while one is.
    private let quietSince = Atomic(MonotonicTime.now())
    private let hasAsked = Atomic<Bool>(false)
    /// The mark that `awaitFirstRequest` was given; -1 once a request has begun.
    private let firstRequestMark = Atomic<Int>(-1)
    private let session = Mutex<TLSSession?>(nil)

    init(descriptor: Int32, remoteAddress: IPAddress, remotePort: UInt16? = nil, peer: UnixPeer? = nil, deadline: Int) {
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.peer = peer
        self.deadline = Atomic(deadline)
    }

    /// `nil` without TLS. Kept until libmicrohttpd has ended it.
    var tls: TLSSession? {
        get { self.session.withLock { $0 } }
        set { self.session.withLock { $0 = newValue } }
    }

    /// Remembers `mark` until a request begins.
    func awaitFirstRequest(_ mark: Int) { self.firstRequestMark.store(mark, ordering: .relaxed) }

    /// Whether no request has begun since `awaitFirstRequest` was given the same mark.
    func isAwaitingFirstRequest(_ mark: Int) -> Bool { self.firstRequestMark.load(ordering: .relaxed) == mark }

    /// A request has begun, which must be complete by `deadline`.
    func begin(by deadline: Int) {
        self.firstRequestMark.store(-1, ordering: .relaxed)
        self.hasAsked.store(true, ordering: .relaxed)
        self.quietSince.store(.max, ordering: .relaxed)
        self.expect(by: deadline)
    }

    /// A request has ended, and the next must be complete by `deadline`.
    func rest(at now: Int, until deadline: Int) {
        self.quietSince.store(now, ordering: .relaxed)
        self.expect(by: deadline)
    }

    /// The place in the order in which connections go that are silent, those first that never asked; `nil` while a request
    /// is under way, a moment after one, and once it was shut down for its silence.
    fileprivate func silence(at now: Int) -> (hasAsked: Bool, since: Int)? {
        let (since, hasAsked) = (self.quietSince.load(ordering: .relaxed), self.hasAsked.load(ordering: .relaxed))
        return since == .max || hasAsked && now - since < Self.pause ? nil : (hasAsked, since)
    }

    /// How long a client may pause between two requests and keeps its place, in microseconds.
    private static let pause = 15_000_000

    fileprivate func endSilence() {
        self.quietSince.store(.max, ordering: .relaxed)
        self.shutDown()
    }

    /// Whether the client has closed nothing, as far as is known. The connection must be open.
    var hasPeer: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(self.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count > 0 || (count < 0 && errno == EAGAIN)
    }

    func expect(by deadline: Int) { self.deadline.store(deadline, ordering: .relaxed) }

    /// To be called on the connection's thread, or under the lock of its watch: it must be open.
    func shutDown() { shutdown(self.descriptor, Int32(SHUT_RDWR)) }

    /// The same for what the client sends: what has come is read, and then nothing more.
    func shutDownReading() { shutdown(self.descriptor, Int32(SHUT_RD)) }

    func isLate(at now: Int) -> Bool { self.deadline.load(ordering: .relaxed) < now }

    /// The deadline of a connection that was shut down as late.
    fileprivate static let passedDeadline = Int.max - 1
    var wasLate: Bool { self.deadline.load(ordering: .relaxed) == Self.passedDeadline }
}

/// The open connections, from the moment they are accepted. Bounds their number, and finds those whose request does not
/// become complete.
///
/// libmicrohttpd's own limit starts anew with every byte, so a client that sends one byte a second could keep a
/// connection for days.
final class ConnectionWatch: Sendable {
    enum Admission {
        case admitted
        /// The longest silent connection was closed for it.
        case admittedForSilent
        /// The server has as many connections as it can serve, or the user of the system has its share.
        case full
        /// The address has its share.
        case addressFull
    }

    private struct State {
        var records: [Int32: ConnectionRecord] = [:]
        /// Kept only when there is a limit.
        var countOfAddress: [IPAddress: Int] = [:]
        /// By the number of the user; kept only when there is a limit.
        var countOfUser: [Int: Int] = [:]
        /// Signalled when the last connection has ended; `nil` before `endAll`.
        var whenEmpty: DispatchSemaphore?
        /// Those that were shut down for their silence and are not gone yet.
        var ending: Set<ObjectIdentifier> = []

        /// Shuts down the connection that has been silent longest.
        /// - Returns: whether there is one.
        mutating func endLongestSilence() -> Bool {
            var longest: (record: ConnectionRecord, hasAsked: Bool, since: Int)?
            let now = MonotonicTime.now()
            for record in self.records.values {
                guard let silence = record.silence(at: now) else { continue }
                if let found = longest,
                    (found.hasAsked ? 1 : 0, found.since) <= (silence.hasAsked ? 1 : 0, silence.since)
                {
                    continue
                }
                longest = (record, silence.hasAsked, silence.since)
            }
            guard let record = longest?.record else { return false }
            record.endSilence()
            self.ending.insert(ObjectIdentifier(record))
            return true
        }

        mutating func forget(_ record: ConnectionRecord) {
            self.records[record.descriptor] = nil
            self.ending.remove(ObjectIdentifier(record))
            if self.records.isEmpty { self.whenEmpty?.signal() }
            if let user = record.peer?.user, let count = self.countOfUser[user] {
                self.countOfUser[user] = count > 1 ? count - 1 : nil
            }
            guard let key = record.remoteAddress.limitKey, let count = self.countOfAddress[key] else { return }
            self.countOfAddress[key] = count > 1 ? count - 1 : nil
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    /// From how many connections on a new one takes the place of one that is silent: it leaves room for those that are shut
    /// down and not gone yet.
    private let crowded: Int
    private let limitPerAddress: Int
    private let limitPerUser: Int

    /// - Parameters:
    ///   - limitPerAddress: 0 is no limit.
    ///   - limitPerUser: 0 is no limit.
    init(limit: Int, limitPerAddress: Int, limitPerUser: Int = 0) {
        self.limit = limit
        self.crowded = limit - min(256, max(1, limit / 8))
        self.limitPerAddress = limitPerAddress
        self.limitPerUser = limitPerUser
    }

    /// Counts a connection that was accepted a moment ago, when it may be served.
    func admit(_ record: ConnectionRecord) -> Admission {
        self.state.withLock { state in
            // An earlier connection with this descriptor is closed, although libmicrohttpd did not say so.
            if let stale = state.records[record.descriptor] { state.forget(stale) }
            guard state.records.count < self.limit else {
                // One that is refused must not cost many others their place.
                if state.ending.isEmpty { _ = state.endLongestSilence() }
                return .full
            }
            if self.limitPerUser > 0, let user = record.peer?.user {
                guard state.countOfUser[user, default: 0] < self.limitPerUser else { return .full }
                state.countOfUser[user, default: 0] += 1
            }
            if self.limitPerAddress > 0, let key = record.remoteAddress.limitKey {
                let count = state.countOfAddress[key, default: 0]
                guard count < self.limitPerAddress else { return .addressFull }
                state.countOfAddress[key] = count + 1
            }
            let isCrowded = state.records.count >= self.crowded && state.endLongestSilence()
            state.records[record.descriptor] = record
            return isCrowded ? .admittedForSilent : .admitted
        }
    }

    var isEmpty: Bool { self.state.withLock { $0.records.isEmpty } }
    var count: Int { self.state.withLock { $0.records.count } }

    func record(of descriptor: Int32) -> ConnectionRecord? { self.state.withLock { $0.records[descriptor] } }

    /// To be called before the descriptor is closed.
    func remove(_ record: ConnectionRecord) {
        self.state.withLock { state in
            if state.records[record.descriptor] === record { state.forget(record) }
        }
    }

    /// Shuts down what is late; its own thread then closes it, and counts it unless a request was answered.
    func shutDownLate(at now: Int) {
        self.state.withLock { state in
            for record in state.records.values where record.isLate(at: now) {
                record.expect(by: ConnectionRecord.passedDeadline)
                // The connection's thread removes a record, under this lock, before it closes the descriptor: so it
                // is still the one we mean.
                record.shutDown()
            }
        }
    }

    /// Ends every connection, and returns when libmicrohttpd has closed the last. Blocks. No more may be admitted.
    ///
    /// Daemons must be stopped after this, and not while they read: once `MHD_stop_daemon` of version 0.9.75 has set its
    /// mark, `MHD_queue_response` drops an answer and says that it took it. An answer by which libmicrohttpd itself refuses
    /// a malformed head is lost in this way, too; `transmit_error_response_len` then builds its head out of a null
    /// pointer, and the process ends. A thread looks for the mark once in a round of all its connections, so every head
    /// that comes in the last round is such a head.
    func endAll() {
        let whenEmpty = DispatchSemaphore(value: 0)
        self.state.withLock { $0.whenEmpty = whenEmpty }
        // Answers on their way are sent before the sockets are shut down for good. Asked again and again: where the last
        // bytes and the end come at once, libmicrohttpd reads the bytes and waits for another event.
        for _ in 0..<Self.rounds {
            let isEmpty = self.shutDownAll { $0.shutDownReading() }
            if isEmpty || whenEmpty.wait(timeout: .now() + Self.roundTime) == .success { return }
        }
        let isEmpty = self.shutDownAll { $0.shutDown() }
        if !isEmpty { _ = whenEmpty.wait(timeout: .now() + Self.timeToEnd) }
    }

    /// - Returns: whether there is no connection.
    private func shutDownAll(_ shutDown: (ConnectionRecord) -> Void) -> Bool {
        self.state.withLock { state in
            for record in state.records.values { shutDown(record) }
            return state.records.isEmpty
        }
    }

    private static let rounds = 20
    private static let roundTime = DispatchTimeInterval.milliseconds(50)
    /// A thread that takes longer for its connections serves a handler that blocks, and would hold `MHD_stop_daemon` as
    /// well.
    private static let timeToEnd = DispatchTimeInterval.seconds(5)
}
