import Clientless
package import Entitlement

/// What a `StoreCrashWriter` said that a store kept, a line each.
package struct Promises: Sendable {
    private let lines: [String]

    package init(_ lines: [String]) { self.lines = lines }

    /// The promises that `store` did not keep, and what was kept by half.
    package func broken(by store: any Store) async throws(StoreError) -> [String] {
        var broken: [String] = []
        var ids: Set<String> = []
        var isWhole = false
        // A commit that was under way when its node was killed may land between two looks, once.
        for _ in 0..<3 where !isWhole {
            let rules = try await store.degradationRules(endingAfter: Fixture.now).map(\.id).sorted()
            let logged = try await store.auditEntries(limit: 1_000_000).map(\.subject).sorted()
            ids = Set(logged)
            isWhole = logged == rules
        }
        // A rule without its line in the audit log, or the other way round, is half a change.
        if !isWhole { broken.append("the audit log is not that of the rules") }
        for line in self.lines where line != "ready" {
            let words = line.split(separator: " ").map(String.init)
            let isKept: Bool =
                switch words.first {
                case "ruled": words.count == 2 && ids.contains(words[1])
                case "tried": try await self.isTried(words, in: store)
                case "kept": try await self.code(words, in: store) != nil
                case "completed": try await self.isCompleted(words, in: store)
                default: false
                }
            if !isKept { broken.append(line) }
        }
        return broken
    }

    private func code(_ words: [String], in store: any Store) async throws(StoreError) -> RegistrationRecord? {
        guard words.count > 1, let code = RegistrationCodeText(words[1]) else { return nil }
        return try await store.code(code)
    }

    private func isCompleted(_ words: [String], in store: any Store) async throws(StoreError) -> Bool {
        guard words.count == 3, let device = Int(words[2]), let record = try await self.code(words, in: store)
        else { return false }
        let authentications = try await store.authentications(of: Fixture.device(device))
        return record.life.storedState == .completed(Fixture.authenticationID(device))
            && authentications.contains { $0.code == record.code }
    }

    private func isTried(_ words: [String], in store: any Store) async throws(StoreError) -> Bool {
        guard words.count == 3, let device = Int(words[1]), let count = Int(words[2]) else { return false }
        let trial = try await store.trial(
            of: [.device(Fixture.device(device))], requestor: Fixture.northSport, mvpd: Fixture.cableNova)
        // One further use may have been kept without a word.
        let kept = trial?.trial.resources.count ?? 0
        return kept >= count && trial?.version == kept
    }
}
