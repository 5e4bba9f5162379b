package import Clientless
import Synchronization

/// Counts what happens to boxes, and keeps the counts by the hour (rest-v1 E).
///
/// Counting is a look into memory; every while the counts go into the store together. A process that dies loses the
/// counts it has not yet stored.
package final class Reports: Sendable {
    /// The most counts of one time in memory (``BoundedCounts``).
    static let mostKept = 4096

    private let store: any ReportStore
    private let counts = Mutex(BoundedCounts())
    /// The batch that the store was given, until it confirms it.
    private let given = Mutex<Batch?>(nil)
    private let minutes = Mutex(RecentCounts())

    init(store: any ReportStore) { self.store = store }

    /// Counts an event, on any thread.
    package func count(_ event: BoxStep) {
        let key = Hashed(ReportCount.Key(event))
        self.counts.withLock { $0.count(key, atMost: Self.mostKept) }
        self.minutes.withLock { $0.count(key, at: event.time) }
    }

    /// The counts of this process by the minute, from `start` on and before `end`; ``RecentCounts/span`` back at most.
    package func minuteCounts(from start: Timestamp, until end: Timestamp) -> [ReportCount] {
        self.minutes.withLock { $0.counts(from: start, until: end) }
    }

    /// Keeps what was counted. When that fails, it is kept the next time, under the same name: the store may have it.
    package func keep() async throws(EntitlementError) {
        // One that is left over, and one that is new: with each playback more comes while the store writes.
        for _ in 0..<2 {
            guard let batch = self.nextBatch() else { return }
            do throws(StoreError) {
                try await self.store.add(batch.counts, batch: batch.name, until: batch.newest + .seconds(3 * 24 * 3600))
            } catch {
                guard error.code == .conflict else { throw EntitlementError(error) }
            }
            self.given.withLock { if $0?.name == batch.name { $0 = nil } }
        }
    }

    /// The counts to keep next: those of which the store has not said that it has them, else all that are new.
    private func nextBatch() -> Batch? {
        self.given.withLock { given in
            if given == nil {
                let taken = self.counts.withLock { counts in
                    defer { counts = BoundedCounts() }
                    return counts.all()
                }
                if !taken.isEmpty { given = Batch(counts: taken) }
            }
            return given
        }
    }

    private struct Batch {
        let name = randomUUID()
        let counts: [ReportCount]

        var newest: Timestamp { Timestamp(seconds: (self.counts.map(\.key.hour).max() ?? 0) * 3600) }
    }

    /// The kept part of the hours from `start` on and before `end`, the oldest first.
    /// - Parameters:
    ///   - question: leaves counts together that it does not tell apart; `nil` leaves none.
    ///   - requestors: whose counts; `nil` means all.
    /// - Returns: also whether there is more than `limit`.
    package func counts(
        from start: Timestamp, until end: Timestamp, for question: MonitoringQuestion? = nil,
        of requestors: Set<RequestorID>? = nil, limit: Int
    ) async throws(EntitlementError) -> (counts: [ReportCount], hasMore: Bool) {
        let first = ReportCount.Key.hour(of: start)
        let beyond = max(first, ReportCount.Key.hour(of: end + .seconds(3599)))
        var selection = ReportSelection(first..<beyond)
        selection.requestors = requestors
        if let question {
            let told = question.dimensions + question.filters.map(\.dimension)
            selection.isByDay = !told.contains(.hour)
            selection.tellsProviders = told.contains(.mvpd)
            selection.tellsModels = !Set(told).isDisjoint(with: [.deviceType, .platform, .operatingSystem])
        }
        let found = try await stored(await self.store.reportCounts(selection, limit: limit + 1))
        return (Array(found.prefix(limit)), found.count > limit)
    }
}
