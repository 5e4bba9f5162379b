import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, passkeys", .stores)
struct PasskeyTests {
    private func account(_ name: String, _ mvpd: MVPDID = Fixture.cableNova) -> Account {
        Account(mvpd: mvpd, id: "id of \(name)", name: name, passwordHash: "$y$j9T$x$\(name)", lineUp: ["*"])
    }

    private func passkey(
        _ number: UInt8, of name: String = "anna", at mvpd: MVPDID = Fixture.cableNova, after seconds: Int = 0
    ) -> Passkey {
        Passkey(
            credential: [number, 0, 255], mvpd: mvpd, account: "id of \(name)", publicKey: [0xA0, number, 0],
            isSyncable: number % 2 == 0, signCount: UInt32.max - UInt32(number),
            created: Fixture.now + .seconds(seconds),
            lastUsed: nil)
    }

    @Test("are read as they were written, the oldest first, and are one account's", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        for account in [self.account("anna"), self.account("bert"), self.account("anna", Fixture.skyPeak)] {
            try await store.save(account)
        }
        let passkeys = [self.passkey(3, after: 1), self.passkey(2, after: 2), self.passkey(1, after: 3)]
        for passkey in passkeys.reversed() {
            #expect(try await store.insert(passkey, limit: 3, audit: Fixture.audit(1)))
        }
        let others = [self.passkey(7, of: "bert"), self.passkey(8, at: Fixture.skyPeak)]
        for passkey in others { #expect(try await store.insert(passkey, limit: 3, audit: Fixture.audit(1))) }
        #expect(try await reader.passkeys(of: "id of anna", at: Fixture.cableNova) == passkeys)
        #expect(try await reader.passkeys(of: "id of bert", at: Fixture.cableNova) == [others[0]])
        #expect(try await reader.passkeys(of: "id of anna", at: Fixture.skyPeak) == [others[1]])
        #expect(try await reader.passkeys(of: "", at: Fixture.cableNova) == [])
        for passkey in passkeys + others { #expect(try await reader.passkey(passkey.credential) == passkey) }
        #expect(try await reader.passkey([9]) == nil)
    }

    @Test("are not kept beyond an account's limit, without an account, or twice", arguments: StoreUnderTest.all)
    func limits(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(self.account("anna"))
        try await store.save(self.account("bert"))
        #expect(try await store.insert(self.passkey(1), limit: 2, audit: Fixture.audit(1)))
        #expect(try await store.insert(self.passkey(1), limit: 2, audit: Fixture.audit(2)) == false)
        #expect(try await store.insert(self.passkey(1, of: "bert"), limit: 2, audit: Fixture.audit(2)) == false)
        #expect(try await store.insert(self.passkey(2, of: "carl"), limit: 2, audit: Fixture.audit(2)) == false)
        #expect(try await store.insert(self.passkey(2), limit: 2, audit: Fixture.audit(3)))
        #expect(try await store.insert(self.passkey(3), limit: 2, audit: Fixture.audit(4)) == false)
        #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(3), Fixture.audit(1)])
    }

    @Test("count on from what was read, and no two uses from the same", arguments: StoreUnderTest.all)
    func counting(_ kind: StoreUnderTest) async throws {
        let (store, other) = try await kind.pair()
        try await store.save(self.account("anna"))
        let passkey = self.passkey(1)
        #expect(try await store.insert(passkey, limit: 2, audit: Fixture.audit(1)))
        let used = Fixture.now + .seconds(60)
        #expect(try await store.noteUse(of: passkey, counted: UInt32.max, now: used))
        #expect(try await other.noteUse(of: passkey, counted: UInt32.max, now: used) == false)
        var counted = passkey
        (counted.signCount, counted.lastUsed) = (UInt32.max, used)
        #expect(try await other.passkey(passkey.credential) == counted)
        #expect(try await store.noteUse(of: self.passkey(2), counted: 1, now: used) == false)
    }

    @Test("go one by one, and with their account", arguments: StoreUnderTest.all)
    func removal(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(self.account("anna"))
        try await store.save(self.account("bert"))
        for passkey in [self.passkey(1), self.passkey(2), self.passkey(3, of: "bert")] {
            #expect(try await store.insert(passkey, limit: 2, audit: Fixture.audit(1)))
        }
        #expect(try await store.deletePasskey([1, 0, 255], audit: Fixture.audit(2)))
        #expect(try await store.deletePasskey([1, 0, 255], audit: Fixture.audit(3)) == false)
        #expect(try await store.auditEntries(limit: 1) == [Fixture.audit(2)])
        // A change of the account leaves them.
        #expect(try await store.replace(self.account("anna"), audit: nil))
        #expect(try await store.passkeys(of: "id of anna", at: Fixture.cableNova).count == 1)
        _ = try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil)
        #expect(try await store.passkeys(of: "id of anna", at: Fixture.cableNova) == [])
        #expect(try await store.passkey([2, 0, 255]) == nil)
        #expect(try await store.passkey([3, 0, 255]) != nil)
    }
}
