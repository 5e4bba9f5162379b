import Entitlement
import Glibc

/// Does the jobs that a thread took, on its connection.
struct Worker: Sendable {
    enum Kind: Hashable, Sendable {
        /// Each job for itself; one that fails has no effect on the others.
        case reading
        /// All jobs in one commit; when one fails, each in a commit of its own.
        case writing
        /// The same, and no commit waits for a disk or a standby: for changes that may be lost with the server.
        case noting
    }

    let kind: Kind
    let finder: PrimaryFinder
    let watch: PrimaryWatch
    /// How long jobs may take; over it a connection counts as lost.
    let patience: Patience
    /// Given after each commit that told the feed anything.
    let signal: ChangeSignal
    let standstill = Standstill()

    /// Does all `jobs`, and answers or refuses each.
    /// - Returns: the session for the next jobs; `nil` when its connection is of no use any more.
    func work(on jobs: [Job], _ held: Session?) -> Session? {
        var session = held
        let deadline = self.patience.deadline(of: jobs, now: .now)
        switch self.kind {
        case .reading: self.read(jobs, &session, deadline)
        case .writing, .noting:
            let short = jobs.filter { !$0.isLong }
            if !short.isEmpty { self.write(short, &session, (deadline, deadline)) }
            for job in jobs where job.isLong {
                let now = ContinuousClock.now
                self.write(
                    [job], &session,
                    (now + self.patience.work, now + self.patience.long))
            }
        }
        return session
    }

    func connected(_ session: inout Session?, _ deadline: ContinuousClock.Instant) throws(PostgresFailure) -> Session {
        if let held = session, held.isTrusted {
            held.answer(by: deadline)
            return held
        }
        session = nil
        let made = try Session(self.finder, by: deadline)
        session = made
        return made
    }

    /// Makes the session good again after `failure`, or gives it up.
    private func mend(_ session: inout Session?, after failure: PostgresFailure) {
        guard failure.leavesConnection, let held = session else {
            session = nil
            return
        }
        do throws(PostgresFailure) {
            try held.recover()
        } catch {
            session = nil
        }
    }

    /// Lets a server that was lost, or another transaction, have a moment.
    func pause() { usleep(20_000) }

    private func read(_ jobs: [Job], _ session: inout Session?, _ deadline: ContinuousClock.Instant) {
        var left = jobs[...]
        while !left.isEmpty {
            guard let failure = self.attemptReads(&left, &session, deadline) else { return }
            self.mend(&session, after: failure)
            if failure.leavesConnection {
                // The first of those that are left is the one that failed.
                left.popFirst()?.refuse(failure.storeError)
            } else if ContinuousClock.now < deadline {
                self.pause()
            } else {
                for job in left { job.refuse(failure.storeError) }
                return
            }
        }
    }

    /// Does the jobs that are left, in order, and takes those off that are done.
    /// - Returns: why the first of the others is not done.
    private func attemptReads(
        _ left: inout ArraySlice<Job>, _ session: inout Session?, _ deadline: ContinuousClock.Instant
    ) -> PostgresFailure? {
        do throws(PostgresFailure) {
            let connected = try self.connected(&session, deadline)
            var begun: [[Ticket]] = []
            for job in left {
                let tickets = try job.begin(connected)
                begun.append(tickets)
                // A failure skips what follows it up to here, and no other job's statements.
                if !tickets.isEmpty { try connected.synchronize() }
            }
            for tickets in begun {
                guard let job = left.first else { break }
                let answer = try job.finish(connected, tickets, outcome: nil)
                left.removeFirst()
                answer()
            }
            try connected.receiveAll()
            return nil
        } catch {
            return error
        }
    }

    private enum Outcome {
        case committed([@Sendable () -> Void])
        case failed(PostgresFailure)
        /// The answer to the commit was lost, and no server knows of it: all or nothing was kept.
        case unknown(PostgresFailure)
    }

    /// Until when a server may be looked for, and until when its answer is waited for.
    private typealias Limits = (seeking: ContinuousClock.Instant, working: ContinuousClock.Instant)

    private func write(_ jobs: [Job], _ session: inout Session?, _ limits: Limits) {
        guard self.mayCommit(&session, until: limits.seeking) else {
            for job in jobs { job.refuse(StoreError(.unavailable, detail: "commits wait for a standby that is gone")) }
            return
        }
        var failure = PostgresFailure.lost("the server did not answer in time")
        var tries = 0
        while ContinuousClock.now < (failure.leavesConnection ? limits.working : limits.seeking), tries < 8 {
            switch self.attempt(jobs, &session, limits) {
            case .committed(let answers):
                self.standstill.end()
                for answer in answers { answer() }
                return
            case .failed(let found):
                failure = found
            case .unknown(let found):
                // Not again: what was kept already would be found taken or changed.
                for job in jobs { job.refuse(found.storeError) }
                return
            }
            // A server that is gone is looked for until the time is over; another transaction is met a few times.
            guard failure.isPassing || !failure.leavesConnection else { break }
            if failure.leavesConnection { tries += 1 }
            self.pause()
        }
        if jobs.count > 1, failure.leavesConnection, ContinuousClock.now < limits.working {
            // A job hardly ever fails; when one does, nothing was answered yet, and each has a commit of its own.
            for job in jobs { self.write([job], &session, limits) }
        } else {
            for job in jobs { job.refuse(failure.storeError) }
        }
    }

    private func attempt(_ jobs: [Job], _ session: inout Session?, _ limits: Limits) -> Outcome {
        let connected: Session
        let (answers, transaction): ([@Sendable () -> Void], CommittingTransaction)
        do throws(PostgresFailure) {
            connected = try self.connected(&session, limits.seeking)
            connected.answer(by: limits.working)
            (answers, transaction) = try self.perform(jobs, connected)
        } catch {
            // The server rolls back what was not committed, at the latest when it finds the connection gone.
            self.mend(&session, after: error)
            return .failed(error)
        }
        do throws(PostgresFailure) {
            try self.commit(transaction, connected)
            return .committed(answers)
        } catch {
            self.mend(&session, after: error)
            // A statement that the server refused is an answer: the transaction is rolled back.
            if error.leavesConnection { return .failed(error) }
            switch self.fate(of: transaction, &session, until: max(limits.seeking, .now) + self.patience.rest) {
            case .committed: return .committed(answers)
            case .rolledBack: return .failed(error)
            case .waiting:
                // Commits that wait for no disk are not held up by those that do.
                if self.kind == .writing { self.standstill.begin(at: .now, of: self.finder.finding) }
                self.watch.hurry()
                return .unknown(.lost("commits wait for a standby that is gone"))
            case .unknown:
                self.standstill.end()
                return .unknown(error)
            }
        }
    }

    /// The work of all jobs, up to the commit: their statements travel together, in one order on every node.
    private func perform(
        _ jobs: [Job], _ session: Session
    ) throws(PostgresFailure) -> ([@Sendable () -> Void], CommittingTransaction) {
        session.notes.removeAll()
        _ = try session.send("BEGIN ISOLATION LEVEL READ COMMITTED")
        if self.kind == .noting { _ = try session.send("SET LOCAL synchronous_commit TO off") }
        let subjects = Set(jobs.flatMap(\.subjects)).sorted().map { SQLValue.integer($0.number) }
        if !subjects.isEmpty {
            // A lock is taken as its row comes, and an array gives its rows in order.
            let list = SQLValue.list(subjects, of: .integer)
            _ = try session.send("SELECT pg_advisory_xact_lock(subject) FROM unnest(\(list)::bigint[]) AS subject")
        }
        let batch = try CodeCreations(
            jobs.enumerated().compactMap { part, job in
                guard case .creation(let element, _) = job.work else { return nil }
                return (part, element)
            }, on: session)
        let begun = try jobs.map { (job) throws(PostgresFailure) in try job.begin(session) }
        let identity = try session.send(
            "SELECT pg_current_xact_id()::text::bigint, \(raw: Session.timeline)")
        var answers: [@Sendable () -> Void] = []
        var notes: [SQL] = []
        let outcomes = try batch.outcomes(on: session)
        for (part, job) in jobs.enumerated() {
            answers.append(try job.finish(session, begun[part], outcome: outcomes[part]))
            notes += session.notes.insertions(part: part)
        }
        let found = try session.rows(of: identity) { (row) throws(PostgresFailure) in
            (id: try row.integer(), timeline: try row.text())
        }.first
        guard let found else { throw .nonsense("a transaction has no ID") }
        return (answers, (found.id, found.timeline, notes))
    }

    private func commit(_ transaction: CommittingTransaction, _ session: Session) throws(PostgresFailure) {
        let warnings = session.warningCount
        _ = try session.send(transaction.notes)
        let end = try session.send("COMMIT")
        try session.synchronize()
        if !transaction.notes.isEmpty {
            // Not in the transaction: the server lets one transaction at a time commit a notification, and that one
            // would wait for the disk.
            _ = try session.send("NOTIFY latchkey_changes")
            try session.synchronize()
        }
        _ = try session.answer(to: end)
        let isWarned = session.warningCount != warnings
        if !transaction.notes.isEmpty { self.signal.give() }
        do throws(PostgresFailure) {
            try session.receiveAll()
        } catch {
            // Committed work stays committed; the next jobs find the connection lost.
        }
        if isWarned { throw Self.cancelledWait }
    }
}
