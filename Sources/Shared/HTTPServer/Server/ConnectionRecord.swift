import Glibc
import Synchronization

/// What the server knows of an open connection beyond its requests.
final class ConnectionRecord: Sendable {
    let descriptor: Int32
    let remoteAddress: IPAddress
    /// When the request that is being received must be complete, in microseconds of `MonotonicTime`.
    private let deadline = Atomic<Int>(.max)

    init(descriptor: Int32, remoteAddress: IPAddress) {
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
    }

    func expect(by deadline: Int) {
        self.deadline.store(deadline, ordering: .relaxed)
    }

    func isLate(at now: Int) -> Bool {
        self.deadline.load(ordering: .relaxed) < now
    }
}

/// The open connections. Counts them, and finds those whose request does not become complete.
///
/// libmicrohttpd's own limit starts anew with every byte, so a client that sends one byte a second could keep a
/// connection for days.
final class ConnectionWatch: Sendable {
    private struct State {
        var records: [Int32: ConnectionRecord] = [:]
        /// Kept only when there is a limit.
        var countOfAddress: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let limitPerAddress: Int

    /// - Parameter limitPerAddress: 0 is no limit.
    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// Whether another connection may be served. Those on their way to their thread are not counted yet.
    func admits(_ address: IPAddress) -> Bool {
        self.state.withLock { state in
            state.records.count < self.limit
                && (self.limitPerAddress == 0 || state.countOfAddress[address, default: 0] < self.limitPerAddress)
        }
    }

    func insert(_ record: ConnectionRecord) {
        self.state.withLock { state in
            state.records[record.descriptor] = record
            if self.limitPerAddress > 0 { state.countOfAddress[record.remoteAddress, default: 0] += 1 }
        }
    }

    func remove(_ record: ConnectionRecord) {
        self.state.withLock { state in
            state.records[record.descriptor] = nil
            if let count = state.countOfAddress[record.remoteAddress] {
                state.countOfAddress[record.remoteAddress] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// Shuts down what is late; its own thread then closes it. `body` is called for each before.
    func shutDownLate(at now: Int, _ body: () -> Void) {
        self.state.withLock { state in
            for record in state.records.values where record.isLate(at: now) {
                body()
                // The connection's thread removes a record, under this lock, before it closes the descriptor: so it
                // is still the one we mean.
                shutdown(record.descriptor, Int32(SHUT_RDWR))
                record.expect(by: .max)
            }
        }
    }
}
