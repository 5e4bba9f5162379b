import Dispatch
import Entitlement
import Synchronization

/// A few connections that read in parallel with the writer and each other. A read sees every commit that was answered
/// before it began.
final class ReaderPool: Sendable {
    /// One caller's read, waiting for its turn.
    struct PendingRead: Sendable {
        let perform: @Sendable (SQLiteConnection) -> Void
        let refuse: @Sendable (StoreError) -> Void
    }

    private struct Line {
        var pending: [PendingRead] = []
        /// The place in `pending` of the next one; those before it are done.
        var next = 0
        /// Readers without work, by place.
        var idle: [Int]
        var isClosed = false
        var accepted = 0

        mutating func take() -> PendingRead? {
            guard self.next < self.pending.count else {
                self.pending.removeAll(keepingCapacity: true)
                self.next = 0
                return nil
            }
            let read = self.pending[self.next]
            self.next += 1
            // A line that is never empty would keep all that is done.
            if self.next >= 1024, self.next * 2 >= self.pending.count {
                self.pending.removeFirst(self.next)
                self.next = 0
            }
            return read
        }
    }

    private let readers: [Reader]
    private let line: Mutex<Line>
    private let maximumPending: Int

    init(_ readers: [Reader], maximumPending: Int) {
        self.readers = readers
        self.line = Mutex(Line(idle: Array(readers.indices)))
        self.maximumPending = maximumPending
    }

    /// Reads that were not refused so far.
    var accepted: Int { self.line.withLock { $0.accepted } }

    /// Gives `read` to an idle reader or puts it in line; refuses it when the store is closed or the line is full.
    func submit(_ read: PendingRead) {
        let (refusal, idle): (StoreError?, Int?) = self.line.withLock { line in
            guard !line.isClosed else { return (StoreError(.unavailable, detail: "the store is closed"), nil) }
            guard !line.idle.isEmpty || line.pending.count - line.next < self.maximumPending else {
                return (StoreError(.unavailable, detail: "\(self.maximumPending) reads are waiting already"), nil)
            }
            line.pending.append(read)
            line.accepted += 1
            return (nil, line.idle.popLast())
        }
        if let refusal { read.refuse(refusal) }
        if let idle { self.readers[idle].queue.async { self.finish(at: idle) } }
    }

    /// Takes no more reads, finishes those in line, and closes the connections.
    func close() async {
        self.line.withLock { $0.isClosed = true }
        for (place, reader) in self.readers.enumerated() {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                reader.queue.async {
                    self.finish(at: place)
                    reader.connection.withLock { $0.close() }
                    done.resume()
                }
            }
        }
    }

    /// Works on what is in line, then is idle.
    private func finish(at place: Int) {
        while true {
            let next: PendingRead? = self.line.withLock { line in
                let next = line.take()
                if next == nil, !line.idle.contains(place) { line.idle.append(place) }
                return next
            }
            guard let next else { return }
            self.readers[place].connection.withLock { connection in next.perform(connection) }
        }
    }
}

final class Reader: Sendable {
    let queue = DispatchQueue(label: "latchkey.store.reader", qos: .userInitiated)
    let connection: Mutex<SQLiteConnection>

    init(_ connection: consuming sending SQLiteConnection) { self.connection = Mutex(connection) }
}
