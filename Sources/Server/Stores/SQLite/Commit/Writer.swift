import Dispatch
import Entitlement
import Synchronization

/// The one writer of a process: callers hand in bodies, and hear of them when the commit that holds them is durable.
///
/// While one commit waits for the disk the next bodies gather, and go together into the following commit. So one sync
/// serves as many callers as came during the last one, and a single caller waits for no other.
final class Writer: Sendable {
    private struct Line {
        var pending: [PendingWrite] = []
        var isRunning = false
        var isClosed = false
        var statistics = StoreStatistics()
    }

    /// The only thread that waits for the disk.
    private let queue = DispatchQueue(label: "latchkey.store.writer", qos: .userInitiated)
    private let connection: Mutex<SQLiteConnection>
    private let line = Mutex(Line())
    private let maximumPending: Int
    private let maximumBatch: Int
    private let signal: ChangeSignal

    /// - Parameter signal: given after each commit that told the feed anything.
    init(
        _ connection: consuming sending SQLiteConnection, maximumPending: Int, maximumBatch: Int, signal: ChangeSignal
    ) {
        self.connection = Mutex(connection)
        self.signal = signal
        self.maximumPending = maximumPending
        self.maximumBatch = maximumBatch
    }

    var statistics: StoreStatistics { self.line.withLock { $0.statistics } }

    /// Puts `write` in line, or refuses it at once when the store is closed or the line is full.
    func submit(_ write: PendingWrite) {
        let (refusal, isIdle): (StoreError?, Bool) = self.line.withLock { line in
            guard !line.isClosed else { return (StoreError(.unavailable, detail: "the store is closed"), false) }
            guard line.pending.count < self.maximumPending else {
                return (StoreError(.unavailable, detail: "\(self.maximumPending) writes are waiting already"), false)
            }
            line.pending.append(write)
            line.statistics.accepted += 1
            defer { line.isRunning = true }
            return (nil, !line.isRunning)
        }
        if let refusal { write.refuse(refusal) }
        if isIdle { self.queue.async { self.drain() } }
    }

    /// Takes no more writes, finishes those in line, and closes the connection.
    func close() async {
        self.line.withLock { $0.isClosed = true }
        // The queue is serial: a drain that is under way or already asked for comes first.
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            self.queue.async {
                self.drain()
                self.connection.withLock { $0.close() }
                done.resume()
            }
        }
    }

    private func drain() {
        while true {
            let batch = self.line.withLock { line in
                let rest = line.pending.dropFirst(self.maximumBatch)
                defer { line.pending = Array(rest) }
                if line.pending.isEmpty { line.isRunning = false }
                return rest.isEmpty ? line.pending : Array(line.pending.prefix(self.maximumBatch))
            }
            if batch.isEmpty { return }
            let (answers, hasChanges) = self.connection.withLock { connection in
                (Batch.commit(batch, on: connection), connection.takeKept())
            }
            self.line.withLock { line in
                line.statistics.commits += 1
                line.statistics.transactions += batch.count
                line.statistics.largestBatch = max(line.statistics.largestBatch, batch.count)
            }
            if hasChanges { self.signal.give() }
            for answer in answers { answer() }
        }
    }
}
