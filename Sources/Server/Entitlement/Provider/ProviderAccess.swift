import Clientless

/// The services of a provider, each with a health of its own: the source of decisions fails alone.
package enum ProviderPart: String, Hashable, Sendable, CaseIterable {
    /// Sign-ins, and what their sessions say.
    case signIns = "sign_ins"
    case decisions
}

/// The way to the providers of the catalogue, each question bounded in time.
struct ProviderAccess: Sendable {
    let part: ProviderPart
    let catalogue: LiveCatalogue
    /// How long a provider may take to answer.
    let time: Duration
    let health: ProviderHealth
    let uptime: Uptime
    let report: @Sendable (DomainNotice) -> Void

    /// Asks a provider, and gives up when it takes longer than it may (rest-v1 15.1).
    /// - Parameter boundsOwn: whether a provider of this process is bounded, too: not where it only looks into the store,
    ///   which has a bound.
    /// - Throws: `providerUnavailable`: a silent provider lets no viewer in.
    func ask<Answer: Sendable>(
        _ mvpd: MVPDID, provesLife: Bool = true, boundsOwn: Bool = false,
        _ question: @escaping @Sendable (any Provider) async throws(ProviderError) -> Answer
    ) async throws(EntitlementError) -> Answer {
        guard let provider = self.catalogue.provider(mvpd) else {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "no provider \(mvpd)")
        }
        let isRemote = self.part == .decisions || provider.isRemote
        guard self.health.admit(mvpd, isRemote: isRemote, at: self.uptime()) else {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "\(mvpd) is not asked for a while",
                providerFault: .unreachable)
        }
        let begun = self.uptime()
        do throws(EntitlementError) {
            let answer = try await self.bounded(mvpd, isRemote || boundsOwn ? self.time(of: mvpd) : nil) {
                try await question(provider)
            }
            self.settle(mvpd, .answered, provesLife: provesLife, since: begun)
            return answer
        } catch {
            // A call that its caller gave up says nothing about the provider.
            self.settle(mvpd, Task.isCancelled ? nil : ProviderOutcome(error), detail: error.detail ?? "", since: begun)
            if let fault = error.providerFault, fault != .sessionOver {
                self.report(.providerTrouble(mvpd, self.part, fault, detail: error.detail ?? ""))
            }
            throw error
        }
    }

    /// Looks at what this server itself has of a provider, in its store or in a session: no network is asked, and the store
    /// has a bound.
    /// - Returns: `nil` also when that fails.
    func look<Answer>(
        _ mvpd: MVPDID, _ question: (any Provider) async throws(ProviderError) -> Answer?
    ) async -> Answer? {
        guard let provider = self.catalogue.provider(mvpd) else { return nil }
        return try? await question(provider)
    }

    /// How long one question to a provider may take.
    func time(of mvpd: MVPDID) -> Duration {
        switch self.part {
        case .signIns: self.catalogue.mvpd(mvpd)?.answerTime ?? self.time
        case .decisions: self.catalogue.decisionPoint(mvpd)?.time ?? self.time
        }
    }

    private func settle(
        _ mvpd: MVPDID, _ outcome: ProviderOutcome?, detail: String = "", provesLife: Bool = true,
        since begun: Duration
    ) {
        let now = self.uptime()
        switch self.health.settle(mvpd, outcome, detail: detail, provesLife: provesLife, after: now - begun, at: now)
        {
        case .shut(let pause): self.report(.providerShut(mvpd, self.part, for: pause))
        case .opened: self.report(.providerOpened(mvpd, self.part))
        case nil: break
        }
    }

    func changesSessions(_ mvpd: MVPDID) -> Bool { self.catalogue.provider(mvpd)?.changesSessions ?? false }

    /// Does what asks a provider, and gives up when it takes longer than `time`.
    /// - Parameter time: `nil` for what is bounded already.
    func bounded<Answer: Sendable>(
        _ mvpd: MVPDID, _ time: Duration?, _ work: @escaping @Sendable () async throws -> Answer
    ) async throws(EntitlementError) -> Answer {
        do {
            guard let time else { return try await work() }
            return try await Self.limited(time, work)
        } catch let error as EntitlementError {
            throw error
        } catch let error as ProviderError {
            throw EntitlementError(error)
        } catch is TooSlow {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: true), detail: "\(mvpd) did not answer in time",
                providerFault: .unreachable)
        } catch {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "asking \(mvpd) was given up")
        }
    }

    private struct TooSlow: Error {}

    /// The answer, or ``TooSlow``; the question is then cancelled. An answer that comes all the same counts: it may hold a
    /// token whose predecessor is spent.
    private static func limited<Answer: Sendable>(
        _ time: Duration, _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await question() }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            if case .some(.some(let answer)) = try await group.next() { return answer }
            group.cancelAll()
            if case .success(.some(let answer)) = await group.nextResult() { return answer }
            try Task.checkCancellation()
            throw TooSlow()
        }
    }
}
