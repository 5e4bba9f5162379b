package import Clientless
package import Entitlement
import Lifecycle
package import Observability
import POSIX

/// Keeps a domain in step with its store for as long as the server runs: follows changes, wakes held polls whose time
/// is over, tidies. When it stops, every held poll is answered first (sdk-services 8).
package struct DomainUpkeep: Service {
    /// How long the feed is waited for before the store is asked again anyway.
    private static let followInterval: Duration = .seconds(1)
    /// How often what is over is purged, and for how long at most until others have a turn.
    private static let (tidyInterval, tidyShare): (Duration, Duration) = (.seconds(30), .seconds(30))
    /// How many times as long as a batch the rest after it is, and how long at most, so that the node's lease lives on.
    private static let (tidyRest, longestRest): (Int, Duration) = (4, .seconds(20))
    /// How long memory keeps what no one asks about, at least.
    private static let ageInterval: Duration = .seconds(300)
    /// How often the store is asked whether it would keep a change.
    private static let watchInterval: Duration = .seconds(5)

    private let domain: Entitlements
    private let position: ChangePosition
    private let logger: Logger
    private let purgeSuspended: Gauge
    private let nodes: Gauge
    private let now: @Sendable () -> Timestamp
    private let isAnswered = StopSignal()

    /// - Parameter position: what ``Upkeep/start(now:)`` returned.
    package init(
        _ domain: Entitlements, from position: ChangePosition, logger: Logger, metrics: Metrics = Metrics(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.domain = domain
        self.position = position
        self.logger = logger
        self.now = now
        self.purgeSuspended = metrics.gauge(
            "latchkey_purge_suspended", help: "1 while nothing is erased, as the clock may have jumped.")
        self.nodes = metrics.gauge(
            "latchkey_nodes", help: "Nodes that serve from the store, each with its part of the limits.")
        self.nodes.set(1)
    }

    package func run() async throws {
        let room = self.domain.waitingRoom
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            group.addTask { await self.tidy() }
            group.addTask { await self.watchStore() }
            group.addTask { await self.expire() }
            group.addTask { await self.domain.signIns.keepTellingProviders() }
            group.addTask {
                await room.deliver()
                self.isAnswered.give()
            }
            await StopSignal.current.wait()
            await self.answerHeldPolls()
            group.cancelAll()
            await self.keepReports()
            await self.domain.signIns.keepHeldSessions(now: self.now())
        }
        // A store that does not answer now lets go by itself in time.
        try? await self.domain.upkeep.leases.leave(now: self.domain.upkeep.leaseTime(by: self.now()))
    }

    /// Lets no further poll wait, and returns once each has its answer. The server asks first, or it would end them.
    package func answerHeldPolls() async {
        self.domain.waitingRoom.close()
        await self.isAnswered.wait()
    }

    /// Follows the feed, and nothing else: what another node changed must not wait behind a purge.
    private func follow() async {
        var position = self.position
        var trouble: StoreError?
        while !Task.isCancelled, !StopSignal.current.isGiven {
            await self.domain.upkeep.waitForChange(after: position, timeout: Self.followInterval)
            do throws(StoreError) {
                try await self.domain.upkeep.followChanges(after: &position, now: self.now())
                if trouble != nil { self.logger.notice("changes in the store are followed again") }
                trouble = nil
            } catch {
                // A store that does not answer now is asked again: requests that need it say so themselves.
                if error != trouble {
                    self.logger.warning(
                        """
                        changes in the store cannot be followed: polls ask the store, and credentials and rules are read \
                        each second
                        """, [.error: .text(error.debugDescription)])
                }
                trouble = error
                try? await self.domain.upkeep.refresh(now: self.now())
                try? await Task.sleep(for: Self.followInterval)
            }
        }
    }

    private func tidy() async {
        let start = ContinuousClock.now
        var (isDoubted, aged) = (false, start)
        while !Task.isCancelled, !StopSignal.current.isGiven {
            if aged.duration(to: .now) >= Self.ageInterval {
                self.domain.upkeep.age()
                aged = .now
            }
            await self.keepReports()
            do throws(StoreError) {
                try await self.domain.upkeep.countCodes(now: self.now())
            } catch {
                self.logger.warning("the open codes could not be counted", [.error: .text(error.debugDescription)])
            }
            do throws(StoreError) {
                let tidying = try await self.domain.upkeep.tidy(
                    now: self.now(), share: Self.tidyShare, uptime: { start.duration(to: .now) }, pause: Self.rest)
                switch tidying {
                case .done, .unfinished, .elsewhere: isDoubted = false
                case .doubted(let doubt):
                    if !isDoubted { self.warn(of: doubt) }
                    isDoubted = true
                }
                self.purgeSuspended.set(isDoubted ? 1 : 0)
                if case .unfinished = tidying { continue }
            } catch {
                self.logger.warning("the store could not be tidied", [.error: .text(error.debugDescription)])
            }
            ThisProcess.releaseMemory()
            try? await Task.sleep(for: Self.tidyInterval)
        }
    }

    /// A change that cannot be kept now is kept the next time.
    private func keepReports() async {
        do throws(EntitlementError) {
            try await self.domain.reports.keep()
        } catch {
            self.logger.warning("reports could not be kept", [.error: .text(error.debugDescription)])
        }
    }

    /// Tells when the store turns from ready to not ready and back.
    private func watchStore() async {
        var clocks = ClockAgreement.Verdict.agreed
        var isReady = true
        while !Task.isCancelled, !StopSignal.current.isGiven {
            // If it fails, the look at the store says why.
            try? await self.domain.upkeep.leases.noteServing(now: self.domain.upkeep.leaseTime(by: self.now()))
            self.nodes.set(self.domain.nodes.count)
            if let found = try? await self.domain.upkeep.compareClocks(now: self.now()) {
                self.tell(found, after: clocks)
                clocks = found
            }
            do throws(EntitlementError) {
                try await self.domain.upkeep.checkStore(at: self.domain.uptime())
                if !isReady { self.logger.notice("the store is ready again") }
                isReady = true
                await self.domain.signIns.keepHeldSessions(now: self.now())
            } catch {
                if isReady { self.logger.error("the store is not ready", [.error: .text(error.debugDescription)]) }
                isReady = false
            }
            try? await Task.sleep(for: Self.watchInterval)
        }
    }

    /// Tells when the clocks part and when they agree again.
    private func tell(_ verdict: ClockAgreement.Verdict, after last: ClockAgreement.Verdict) {
        switch (verdict, last) {
        case (.agreed, .wrong), (.agreed, .storeWrong): self.logger.notice("the clock is that of PostgreSQL again")
        case (.wrong, .wrong), (.storeWrong, .storeWrong), (.agreed, .agreed): break
        case (.wrong(let ahead), _):
            self.logger.error(
                "the clock is not that of PostgreSQL: this node answers no calls until they agree",
                [.detail: .text("\(ahead.components.seconds) s ahead")])
        case (.storeWrong(let ahead), _):
            self.logger.error(
                "the clock of PostgreSQL jumped: nodes that start now answer no calls",
                [.detail: .text("this node's is \(ahead.components.seconds) s ahead")])
        }
    }

    /// Leaves the store alone after a batch.
    /// - Returns: false when the server stops.
    private static func rest(after batch: Duration) async -> Bool {
        (try? await Task.sleep(for: min(batch * Self.tidyRest, Self.longestRest))) != nil
            && !StopSignal.current.isGiven
    }

    private func warn(of doubt: PurgeClock.Doubt) {
        switch doubt {
        case .jumped(let ahead, let wait):
            let (ahead, wait) = (ahead.components.seconds, wait.components.seconds)
            self.logger.warning(
                "the clock may have jumped: nothing is erased until it has gone on steadily for a day",
                [.detail: .text("\(ahead) s from the time it should show, believed in \(wait) s")])
        case .disagreeing(let ahead):
            self.logger.warning(
                "the clock is not that of PostgreSQL: this node erases nothing until they agree",
                [.detail: .text("\(ahead.components.seconds) s ahead")])
        }
    }

    private func expire() async {
        while (try? await Task.sleep(for: WaitingRoom.tick)) != nil, !StopSignal.current.isGiven {
            self.domain.waitingRoom.expire()
        }
    }
}
