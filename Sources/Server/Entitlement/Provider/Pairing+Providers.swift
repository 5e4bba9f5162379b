import Clientless
import Lifecycle

extension Pairing {
    /// Asks a provider, and gives up when it takes longer than it may (rest-v1 15.1).
    /// - Throws: `providerUnavailable`; nobody is let in because a provider was silent.
    func ask<Answer: Sendable>(
        _ mvpd: MVPDID, _ question: @escaping @Sendable (any Provider) async throws(ProviderError) -> Answer
    ) async throws(EntitlementError) -> Answer {
        guard let provider = self.providers[mvpd] else {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "no provider \(mvpd)")
        }
        do {
            return try await withTimeout(self.limits.providerTime) { try await question(provider) }
        } catch let error as ProviderError {
            throw EntitlementError(error)
        } catch is TimeoutError {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: true), detail: "\(mvpd) did not answer in time")
        } catch {
            throw EntitlementError(
                .providerUnavailable, denial: .network(timeout: false), detail: "asking \(mvpd) was given up")
        }
    }
}
