import Entitlement
import StoreFixtures
import Stores

/// Saves accounts and key pairs as the operator's commands do while the server runs.
struct AccountWriter {
    let count: Int

    func run(_ file: String) async throws(StoreError) {
        let store = try await SQLiteStore.open(file)
        say("ready")
        for number in 0..<self.count {
            try await store.save(
                Account(mvpd: Fixture.cableNova, name: "viewer\(number)", passwordHash: "$y$", lineUp: ["*"]))
            try await store.save(
                KeyPairRecord(
                    publicKey: "key\(number)", sealedPrivateKey: [1], requestors: [Fixture.northSport],
                    created: Fixture.now, ends: nil),
                audit: Fixture.audit(number))
            say("saved \(number)")
        }
        await store.close()
    }
}
