package import Clientless

/// The boxes and viewers that the store has of one requestor or provider that a catalogue lacks.
package struct Strays: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        case requestor(RequestorID)
        case provider(MVPDID)
    }

    package let owner: Owner
    /// Those that have not ended.
    package var keyPairs = 0
    package var accounts = 0
    /// Those of the newest 500 that have not expired.
    package var signIns = 0
}

extension Operations {
    /// The boxes and viewers of requestors and providers that `catalogue` lacks, such as after an ID was changed in its
    /// file; by ID, requestors first.
    package func strays(from catalogue: Catalogue, now: Timestamp) async throws(EntitlementError) -> [Strays] {
        let keyPairs = try await stored(await self.store.credentials()).keyPairs.filter { $0.isActive(at: now) }
        let accounts = try await stored(await self.store.accounts())
        var current = AuthNSelection.all
        current.endingAfter = now
        let signIns = try await stored(
            await self.store.newestAuthentications(current, before: nil, limit: Self.page))
        let requestors = Set(keyPairs.flatMap(\.requestors) + signIns.map(\.requestor))
            .filter { catalogue.requestor($0) == nil }.sorted { $0.text < $1.text }
        let providers = Set(accounts.map(\.mvpd) + signIns.map(\.mvpd))
            .filter { catalogue.mvpd($0) == nil }.sorted { $0.text < $1.text }
        return requestors.map { id in
            Strays(
                owner: .requestor(id), keyPairs: keyPairs.count { $0.requestors.contains(id) },
                signIns: signIns.count { $0.requestor == id })
        }
            + providers.map { id in
                Strays(
                    owner: .provider(id), accounts: accounts.count { $0.mvpd == id },
                    signIns: signIns.count { $0.mvpd == id })
            }
    }
}
