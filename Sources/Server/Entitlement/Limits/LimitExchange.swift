package import Clientless
import FoundationEssentials
import Synchronization

/// Tells the other nodes what the limits of this one counted, and counts here what they tell, so that limits hold for the
/// service and not for each node.
///
/// What is wrong at one node counts at all within about two seconds. A store that does not answer changes nothing but
/// that: each node goes on with what it counts itself, and tells it later, with its time. What is told is sealed, and bound
/// to its node and number.
package final class LimitExchange: Sendable {
    /// One limit without its type.
    private struct Member: Sendable {
        let take: @Sendable (Duration) throws -> Data?
        let count: @Sendable (Data, Duration, Timestamp) throws -> Void
    }

    /// A sheet that was not told yet.
    private struct Draft: Sendable {
        let number: Int64
        let content: [UInt8]
        /// When it was counted.
        let uptime: Duration
    }

    private struct Progress: Sendable {
        var number: Int64 = 0
        /// What is to be told, until it is.
        var draft: Draft?
        /// The newest sheet of each node that was counted; `nil` before the first look.
        var heard: [String: Int64]?
    }

    /// How long a sheet is of use, from when it was taken. A node that misses it for as long counts by itself; one that
    /// hears it before, as after a pause, counts it as of its time.
    package static let life: Duration = .seconds(60)

    private let store: any SheetStore
    private let keys: ServerKeys
    /// What the other nodes tell this one by.
    private let node = randomUUID()
    private let members = Mutex<[String: Member]>([:])
    private let progress = Mutex(Progress())

    package init(store: any SheetStore, keys: ServerKeys) {
        self.store = store
        self.keys = keys
    }

    /// Whether there may be other nodes; otherwise limits need write down nothing.
    package var isNeeded: Bool { self.store.isShared }

    /// Adds a limit, in place of what had the name.
    /// - Parameters:
    ///   - limit: `nil` takes away what had the name.
    ///   - name: the same on every node.
    package func share(_ limit: (some SharedLimit)?, as name: String) {
        let member = limit.map { limit in
            Member(
                take: { uptime in
                    let notes = limit.takeNotes(at: uptime)
                    return notes.isEmpty ? nil : try JSONEncoder().encode(notes)
                },
                count: { data, uptime, now in limit.count(try Self.notes(of: limit, data), at: uptime, now: now) })
        }
        self.members.withLock { $0[name] = member }
    }

    private static func notes<Limit: SharedLimit>(of limit: Limit, _ data: Data) throws -> Limit.Notes {
        try JSONDecoder().decode(Limit.Notes.self, from: data)
    }

    /// What came of one exchange.
    package struct Outcome: Hashable, Sendable {
        /// Sheets of other nodes whose counts were added to those of this one.
        package var heard = 0
        /// Sheets of other nodes that were over, and counted no more.
        package var late = 0
        /// Sheets that could not be read, as those of a node with other keys.
        package var unreadable = 0
    }

    /// Tells and hears, once; called each second by one task.
    /// - Parameter uptime: by the clock of the limits.
    package func exchange(now: Timestamp, uptime: Duration) async throws(StoreError) -> Outcome {
        guard self.isNeeded else { return Outcome() }
        // Taken before the store is asked for anything: how long one that is away keeps it waiting is known then.
        let draft = self.draft(at: uptime)
        // Nodes' own clocks may be apart.
        let time = try await self.store.clock() ?? now
        if let draft { try await self.tell(draft, time: time, uptime: uptime) }
        return try await self.hear(time: time, now: now, uptime: uptime)
    }

    private func tell(_ draft: Draft, time: Timestamp, uptime: Duration) async throws(StoreError) {
        let ends = time + (Self.life - (uptime - draft.uptime))
        try await self.store.post(
            NodeSheet(node: self.node, number: draft.number, ends: ends, content: draft.content))
        self.progress.withLock { progress in
            progress.draft = nil
            progress.number = draft.number + 1
        }
    }

    /// What is to be told next: what could not be told the last time, while that is of use, and else what is new; `nil`
    /// when nothing was counted.
    private func draft(at uptime: Duration) -> Draft? {
        if let draft = self.progress.withLock({ $0.draft }) {
            if uptime - draft.uptime < Self.life { return draft }
            // The store may have kept it all the same, and others may have read that number.
            self.progress.withLock { $0.number = draft.number + 1 }
        }
        let draft = self.newDraft(at: uptime)
        self.progress.withLock { $0.draft = draft }
        return draft
    }

    private func newDraft(at uptime: Duration) -> Draft? {
        let members = self.members.withLock { $0 }
        let parts = members.compactMapValues { try? $0.take(uptime) }
        guard !parts.isEmpty else { return nil }
        let number = self.progress.withLock { $0.number }
        // What cannot be sealed is not told, as if the store had not answered.
        guard let content = try? self.keys.sealed(parts, in: .sheet(of: self.node, number: number)) else { return nil }
        return Draft(number: number, content: content, uptime: uptime)
    }

    private func hear(time: Timestamp, now: Timestamp, uptime: Duration) async throws(StoreError) -> Outcome {
        var newest = try await self.store.newestSheets()
        newest[self.node] = nil
        // What was told before this node began is over, or will be soon.
        let heard = self.progress.withLock { progress in
            if progress.heard == nil { progress.heard = newest }
            return progress.heard ?? newest
        }
        var outcome = Outcome()
        for (node, number) in newest where number > heard[node] ?? -1 {
            for sheet in try await self.store.sheets(of: node, after: heard[node] ?? -1) {
                // Noted first: what was read twice would count twice.
                self.progress.withLock { $0.heard?[node] = sheet.number }
                let age = sheet.age(at: time, life: Self.life)
                if age >= Self.life {
                    outcome.late += 1
                } else if self.count(sheet, now: now - age, uptime: uptime - age) {
                    outcome.heard += 1
                } else {
                    outcome.unreadable += 1
                }
            }
        }
        // A node whose sheets were all purged is forgotten; what it tells next is new.
        self.progress.withLock { progress in progress.heard = progress.heard?.filter { newest[$0.key] != nil } }
        return outcome
    }

    /// - Returns: whether all of it could be read.
    private func count(_ sheet: NodeSheet, now: Timestamp, uptime: Duration) -> Bool {
        let binding = SealBinding.sheet(of: sheet.node, number: sheet.number)
        guard let parts = try? self.keys.opened(sheet.content, as: [String: Data].self, in: binding) else {
            return false
        }
        let members = self.members.withLock { $0 }
        var isRead = true
        // A part that this node does not know is of a newer program.
        for (name, part) in parts {
            guard let member = members[name] else { continue }
            if (try? member.count(part, uptime, now)) == nil { isRead = false }
        }
        return isRead
    }
}
