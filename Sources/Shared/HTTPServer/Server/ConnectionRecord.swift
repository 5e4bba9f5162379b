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

/// The open connections. Finds those whose request does not become complete.
///
/// libmicrohttpd's own limit starts anew with every byte, so a client that sends one byte a second could keep a
/// connection for days.
final class ConnectionWatch: Sendable {
    private let records = Mutex<[Int32: ConnectionRecord]>([:])

    func insert(_ record: ConnectionRecord) {
        self.records.withLock { $0[record.descriptor] = record }
    }

    func remove(_ record: ConnectionRecord) {
        _ = self.records.withLock { $0.removeValue(forKey: record.descriptor) }
    }

    /// Shuts down what is late; its own thread then closes it. `body` is called for each before.
    func shutDownLate(at now: Int, _ body: () -> Void) {
        self.records.withLock { records in
            for record in records.values where record.isLate(at: now) {
                body()
                // The connection's thread removes a record, under this lock, before it closes the descriptor: so it
                // is still the one we mean.
                shutdown(record.descriptor, Int32(SHUT_RDWR))
                record.expect(by: .max)
            }
        }
    }
}
