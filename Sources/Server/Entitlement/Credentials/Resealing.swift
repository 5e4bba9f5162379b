package import Clientless

/// Seals anew, under the key that seals now, what the store keeps sealed under other keys.
///
/// Servers go on meanwhile: a record that one of them changes at the same moment is left to it, and found again by the
/// next pass. Logins under way are not touched: they are over ``LoginAttempt/lifetime`` after they began.
package struct Resealing: DomainPart {
    package struct Outcome: Hashable, Sendable {
        /// How many sessions and private keys were sealed anew.
        package var resealed = 0
        /// How many were changed by a server at the same moment.
        package var contested = 0
        /// How many no key opens. They stay as they are, and are of no use.
        package var closed = 0

        fileprivate mutating func add(_ other: Outcome) {
            self.resealed += other.resealed
            self.contested += other.contested
            self.closed += other.closed
        }

        /// Whether everything that opens is sealed under the key that seals now.
        package var isComplete: Bool { self.resealed == 0 && self.contested == 0 }
    }

    private static let page = 200

    let parts: DomainParts

    /// How many servers share the store now, each of which needs the new key; none for a store that is for one.
    package func servers(now: Timestamp) async throws(EntitlementError) -> Int {
        try await stored(await NodeLeases.nodes(of: self.store, now: self.store.clock() ?? now)).count
    }

    /// Looks at every record once.
    /// - Throws: `storeUnavailable`; what was sealed anew until then stays so.
    package func pass() async throws(EntitlementError) -> Outcome {
        var outcome = Outcome()
        for pair in try await stored(await self.store.credentials()).keyPairs {
            outcome.add(try await stored(await self.renew(pair)))
        }
        try await self.visit(.all, by: Self.page) { (page) throws(EntitlementError) in
            // Side by side, so that they share commits.
            let renewals = await withTaskGroup(of: Result<Outcome, EntitlementError>.self) { group in
                for record in page { group.addTask { await self.renewed(record) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for renewal in renewals { outcome.add(try renewal.get()) }
        }
        return outcome
    }

    private func renew(_ pair: KeyPairRecord) async throws(StoreError) -> Outcome {
        let sealed: [UInt8]?
        do throws(EntitlementError) {
            sealed = try self.keys.resealedPrivateKey(of: pair)
        } catch {
            return Outcome(closed: 1)
        }
        guard let sealed else { return Outcome() }
        return try await self.store.reseal(pair.publicKey, from: pair.sealedPrivateKey, to: sealed)
            ? Outcome(resealed: 1) : Outcome(contested: 1)
    }

    private func renewed(_ record: AuthNRecord) async -> Result<Outcome, EntitlementError> {
        var renewed = record
        do throws(EntitlementError) {
            guard let sealed = try self.keys.resealedSession(of: record) else { return .success(Outcome()) }
            renewed.sealedSession = sealed
        } catch {
            return .success(Outcome(closed: 1))
        }
        do throws(StoreError) {
            return .success(try await self.store.update(renewed) ? Outcome(resealed: 1) : Outcome(contested: 1))
        } catch {
            return .failure(EntitlementError(error))
        }
    }
}
