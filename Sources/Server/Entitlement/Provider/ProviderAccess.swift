import Clientless

/// The way to the providers of the catalogue, each question bounded in time.
struct ProviderAccess: Sendable {
    let catalogue: LiveCatalogue
    /// How long a provider may take to answer.
    let time: Duration

    /// Asks a provider, and gives up when it takes longer than it may (rest-v1 15.1).
    /// - Throws: `providerUnavailable`: a silent provider lets no viewer in.
    func ask<Answer: Sendable>(
        _ mvpd: MVPDID, _ question: @escaping @Sendable (any Provider) async throws(ProviderError) -> Answer
    ) async throws(EntitlementError) -> Answer {
        guard let provider = self.catalogue.provider(mvpd) else {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "no provider \(mvpd)")
        }
        return try await self.bounded(mvpd, self.time) { try await question(provider) }
    }

    /// Whether questions about a session are asked one at a time.
    func changesSessions(_ mvpd: MVPDID) -> Bool { self.catalogue.provider(mvpd)?.changesSessions ?? false }

    /// Does what asks a provider, and gives up when it takes longer than `time`.
    func bounded<Answer: Sendable>(
        _ mvpd: MVPDID, _ time: Duration, _ work: @escaping @Sendable () async throws -> Answer
    ) async throws(EntitlementError) -> Answer {
        do {
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

    /// The answer, or ``TooSlow``; the question is then cancelled.
    private static func limited<Answer: Sendable>(
        _ time: Duration, _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await question() }
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            guard case .some(.some(let answer)) = try await group.next() else { throw TooSlow() }
            return answer
        }
    }
}
