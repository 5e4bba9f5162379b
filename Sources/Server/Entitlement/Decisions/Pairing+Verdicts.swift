import Clientless

extension Pairing {
    /// What the provider says of each of `resources`, in their order, in one question. Where it does not answer, all
    /// are denied (rest-v1 15.1, 17).
    /// - Throws: `internal` when the kept session cannot be opened.
    func verdicts(
        on resources: [Resource], by authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        // Nobody signed in there: the provider has no viewer to decide about (rest-v1 25).
        if authentication.origin == .degraded { return resources.map { _ in .deny(.programmer) } }
        let session = try self.keptSession(of: authentication).session
        do throws(EntitlementError) {
            let decisions = try await self.ask(authentication.mvpd) { provider throws(ProviderError) in
                try await provider.decide(resources, requestor: requestor, session: session, now: now)
            }
            guard decisions.count == resources.count else {
                throw EntitlementError(
                    .providerUnavailable, detail: "\(decisions.count) decisions on \(resources.count) resources")
            }
            return decisions.map(Verdict.init(ofProvider:))
        } catch {
            guard error.code == .providerUnavailable else { throw error }
            let denial = error.denial ?? .network(timeout: false)
            return resources.map { _ in .deny(denial, reason: Self.sentence(on: denial)) }
        }
    }

    /// What a viewer is told of a network that failed; the `details` of rest-v1 15.1.
    private static func sentence(on denial: Denial) -> String {
        denial == .network(timeout: true)
            ? "The TV provider did not answer in time." : "The TV provider could not be reached."
    }
}
