package import Clientless
import Synchronization
import TextCoding

// Questions to a provider about a kept session, which its answers may change.
extension SignIns {
    /// How often a question is asked again with a session that another node changed.
    private static let rounds = 4
    /// How long a session is doubted before its sign-in ends: longer than another node needs to keep the successor of a
    /// token that it has just used.
    private static let doubt: Duration = .seconds(30)
    private static let siblings = 64

    /// Claims to sessions of a provider in the store, at most.
    static let claims: UInt32 = 1024
    /// How soon a claim of another node is looked at again.
    private static let claimInterval: Duration = .milliseconds(100)
    private static let mostHeld = 10_000

    /// Asks the provider of `record` about its session, and keeps what the answer made of that.
    ///
    /// If answers change sessions, all nodes together ask one question at a time about a session, and none while the
    /// store keeps nothing: the session that the provider is asked with may count once. One that is still over half a
    /// minute later ends the sign-in.
    /// - Throws: `providerUnavailable`, also while a session is doubted; `authenticationExpired` when the provider ended
    ///   the session, `notAuthenticated` when the sign-in is gone; `storeUnavailable`, `internal`.
    func ask<Value: Sendable>(
        about record: AuthNRecord, now: Timestamp,
        _ question:
            @escaping @Sendable (any Provider, ProviderSession) async throws(ProviderError)
            -> ProviderAnswer<Value>
    ) async throws(EntitlementError) -> Value {
        guard self.providers.changesSessions(record.mvpd)
        else { return try await self.asked(about: record, now: now, question) }
        let session = record.providerSession ?? Array(record.id.text.utf8)
        let claim = "session \(record.mvpd) \(session.span.hash % Self.claims)"
        // As long as one that waits for another.
        let time = self.providers.time(of: record.mvpd) * 2
        return try await self.providers.bounded(record.mvpd, time) {
            // Sessions that share a claim take turns: one that ends lets the claim go.
            _ = try await self.turns.take(Array(claim.utf8))
            defer { self.turns.pass(Array(claim.utf8)) }
            let release = try await self.take(claim, for: time, now: now)
            var latest: AuthNRecord?
            do {
                latest = try await self.storedAuthentication(record.id)
                guard let latest else { throw EntitlementError(.notAuthenticated) }
                let value = try await self.asked(about: latest, now: now, question)
                await release()
                return value
            } catch {
                // Changes that could not be kept are held here: other nodes leave what came before it alone, until this
                // one had time.
                if latest == nil || (error as? EntitlementError)?.code != .storeUnavailable { await release() }
                throw error
            }
        }
    }

    /// Waits until no other node asks about a session of a claim, and lets none do so for `time`.
    /// - Returns: lets other nodes have it. If the store does not answer, or the time is over, they have it by themselves.
    private func take(
        _ claim: String, for time: Duration, now begin: Timestamp
    ) async throws -> @Sendable () async -> Void {
        let (store, holder, begun) = (self.store, self.node, self.uptime())
        let clock = { @Sendable in
            self.agreement.storeTime(by: begin + (self.uptime() - begun), at: self.uptime())
        }
        while true {
            let now = clock()
            if try await stored(await store.takeLease(claim, holder: holder, for: time, now: now)) {
                return {
                    let end = clock()
                    if end < now + time { _ = try? await store.takeLease(claim, holder: holder, for: .zero, now: end) }
                }
            }
            try await Task.sleep(for: Self.claimInterval)
        }
    }

    private func asked<Value: Sendable>(
        about record: AuthNRecord, now: Timestamp,
        _ question:
            @escaping @Sendable (any Provider, ProviderSession) async throws(ProviderError)
            -> ProviderAnswer<Value>
    ) async throws(EntitlementError) -> Value {
        let former = try self.keptSession(of: record)
        let isChanging = self.providers.changesSessions(record.mvpd)
        var session = former.session
        if let held = self.heldSessions.withLock({ $0[session] }) {
            try await self.keep(held, now: now)
            session = held.session
        }
        for _ in 0..<Self.rounds {
            let asked = session
            do throws(EntitlementError) {
                let answer = try await self.providers.ask(record.mvpd) {
                    (provider) throws(ProviderError) in
                    try await question(provider, asked)
                }
                let isNews = answer.metadata.map { self.metadata(of: record, former, after: $0) != former.metadata }
                if let changed = answer.session, changed != asked {
                    guard changed.bytes.count <= ProviderSession.maximumSize
                    else {
                        throw EntitlementError(ProviderError(.misconfigured, detail: "a changed session is too long"))
                    }
                    let change: ChangedSession = (record, asked, changed, answer.metadata)
                    self.heldSessions.withLock { if $0.count < Self.mostHeld { $0[asked] = change } }
                    try await self.keep(change, now: now)
                } else if isNews == true || former.doubtedSince != nil && (answer.session != nil || !isChanging) {
                    // A doubt of weeks ago must not end the sign-in at the next one. An answer without a session may
                    // come from what is kept, and proves nothing where sessions change.
                    try await self.swap(asked, for: asked, answer.metadata, in: record.id, now: now)
                }
                return answer.value
            } catch {
                guard error.providerFault == .sessionOver else { throw error }
                guard var latest = try await self.storedAuthentication(record.id)
                else { throw EntitlementError(.notAuthenticated) }
                var kept = try self.keptSession(of: latest)
                session = kept.session
                guard session == asked else { continue }
                let isOver = kept.doubtedSince.map { now - $0 >= Self.doubt }
                switch isOver {
                case true?: latest.expires = min(now, latest.expires)
                case false?: throw error
                case nil:
                    kept.doubtedSince = now
                    latest.sealedSession = try self.keys.sealed(kept.json, in: .session(of: latest))
                }
                guard try await stored(await self.store.update(latest)) else { continue }
                self.memory.announce(device: record.context.device)
                if isOver == true { throw EntitlementError(.authenticationExpired, detail: error.detail) }
                throw error
            }
        }
        throw EntitlementError(
            .providerUnavailable, denial: .network(timeout: false), detail: "the session changed all the time",
            providerFault: .sessionOver)
    }

    package func keepHeldSessions(now: Timestamp) async {
        for change in self.heldSessions.withLock({ Array($0.values) }) {
            guard (try? await self.keep(change, now: now)) != nil else { return }
        }
    }

    /// Keeps a changed session with every sign-in that rests on the former one, and holds it until it is kept. One that
    /// another node changed meanwhile is the newer, and stays.
    private func keep(_ change: ChangedSession, now: Timestamp) async throws(EntitlementError) {
        let (record, former, changed, metadata) = change
        do throws(EntitlementError) {
            try await self.swap(former, for: changed, metadata, in: record.id, now: now)
            if let name = record.providerSession {
                let selection = AuthNSelection(mvpd: record.mvpd, providerSession: name)
                try await self.visit(selection, by: Self.siblings) { (others) throws(EntitlementError) in
                    for other in others where other.id != record.id {
                        try await self.swap(former, for: changed, metadata, in: other.id, now: now)
                    }
                }
            }
        } catch {
            if error.code != .storeUnavailable { self.heldSessions.withLock { $0[former] = nil } }
            throw error
        }
        self.heldSessions.withLock { $0[former] = nil }
    }

    func swap(
        _ former: ProviderSession, for changed: ProviderSession, _ metadata: [String: MetadataValue]?, in id: AuthNID,
        now: Timestamp
    ) async throws(EntitlementError) {
        // The caller's copy may end earlier than the stored record does.
        guard let record = try await self.storedAuthentication(id) else { return }
        try await self.update(record) { (record) throws(EntitlementError) in
            var kept = try self.keptSession(of: record)
            guard kept.session == former else { return }
            kept.session = changed
            kept.doubtedSince = nil
            if let latest = metadata.map({ self.metadata(of: record, kept, after: $0) }), latest != kept.metadata {
                (kept.metadata, kept.updated) = (latest, now)
            }
            record.sealedSession = try self.keys.sealed(kept.json, in: .session(of: record))
        }
    }
}

/// The session that a provider changed, and the viewer's metadata that came with it.
typealias ChangedSession = (
    record: AuthNRecord, former: ProviderSession, session: ProviderSession, metadata: [String: MetadataValue]?
)

/// Lets one question at a time be asked under a claim, on this node: those who come later wait in line.
final class SessionTurns: Sendable {
    private typealias Waiter = (number: Int, continuation: CheckedContinuation<Bool, Never>)

    /// Callers that wait for one claim, at most.
    private static let bound = 256

    /// The waiting by claim; one that is here has a turn taken.
    private let lines = Mutex<(last: Int, waiting: [[UInt8]: [Waiter]])>((0, [:]))

    /// How many claims have a turn taken, and how many callers wait.
    var counts: (taken: Int, waiting: Int) {
        self.lines.withLock { ($0.waiting.count, $0.waiting.values.reduce(0) { $0 + $1.count }) }
    }

    /// Takes the turn for a claim, after those who came before. ``pass(_:)`` gives it on.
    /// - Returns: whether it had to wait.
    /// - Throws: when the task was cancelled, or the line is too long; the turn is then not taken.
    func take(_ claim: [UInt8]) async throws -> Bool {
        let number = self.lines.withLock { lines -> Int? in
            guard lines.waiting[claim] != nil else {
                lines.waiting[claim] = []
                return nil
            }
            lines.last += 1
            return lines.last
        }
        guard let number else { return false }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { self.wait(for: claim, (number, $0)) }
        } onCancel: {
            self.leave(claim, number)
        }
        guard isTaken else { throw CancellationError() }
        return true
    }

    /// Gives the turn to the next in line.
    func pass(_ claim: [UInt8]) {
        let next = self.lines.withLock { lines -> Waiter? in
            guard var line = lines.waiting[claim], !line.isEmpty else {
                lines.waiting[claim] = nil
                return nil
            }
            let next = line.removeFirst()
            lines.waiting[claim] = line
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func wait(for claim: [UInt8], _ waiter: Waiter) {
        let isTaken = self.lines.withLock { lines -> Bool? in
            guard let line = lines.waiting[claim] else {
                // The turn was given back in between.
                lines.waiting[claim] = []
                return true
            }
            // The handler of a cancellation that came before found no one in line.
            guard !Task.isCancelled, line.count < Self.bound else { return false }
            lines.waiting[claim] = line + [waiter]
            return nil
        }
        if let isTaken { waiter.continuation.resume(returning: isTaken) }
    }

    private func leave(_ claim: [UInt8], _ number: Int) {
        let waiter = self.lines.withLock { lines -> Waiter? in
            guard let place = lines.waiting[claim]?.firstIndex(where: { $0.number == number }) else { return nil }
            return lines.waiting[claim]?.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }
}
