import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("In every store, credentials", .stores)
struct CredentialTests {
    private func keyPair(
        _ key: String, requestors: [RequestorID], ends: Timestamp? = nil, label: String? = nil
    ) -> KeyPairRecord {
        KeyPairRecord(
            publicKey: key, sealedPrivateKey: [9, 0, 255], requestors: requestors, created: Fixture.now, ends: ends,
            label: label)
    }

    private func application(_ id: String, scopes: [String], ends: Timestamp? = nil) -> ApplicationRecord {
        ApplicationRecord(
            softwareID: id, name: "Démo", version: "1.0", requestors: [Fixture.southNews, Fixture.northSport],
            redirectTargets: ["sport.example", "hcplayer"], scopes: scopes, created: Fixture.now, ends: ends)
    }

    @Test("are read as they were written, ended ones too", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let empty = try await store.credentials()
        #expect(empty.keyPairs.isEmpty && empty.applications.isEmpty)
        let pairs = [
            self.keyPair("a", requestors: [Fixture.southNews, Fixture.northSport]),
            self.keyPair("b", requestors: [], ends: Fixture.now - .seconds(1), label: "Küche, 2. Stock"),
        ]
        let applications = [
            self.application("1", scopes: ["z", "a", "a"]), self.application("2", scopes: [], ends: Fixture.now),
        ]
        for pair in pairs { try await store.save(pair, audit: Fixture.audit(1)) }
        for application in applications { try await store.save(application, audit: Fixture.audit(1)) }
        let read = try await store.credentials()
        #expect(Set(read.keyPairs) == Set(pairs))
        #expect(Set(read.applications) == Set(applications))
    }

    @Test("come of set-up codes once, with the code's end, or not at all", arguments: StoreUnderTest.all)
    func setUpCodes(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        func code(_ hash: UInt8, lifetime: Int, softwareID: String? = nil) -> SetUpCodeRecord {
            SetUpCodeRecord(
                hash: [hash, 0, 255], requestor: Fixture.northSport, softwareID: softwareID, created: Fixture.now,
                expires: Fixture.now + .seconds(lifetime), label: hash == 1 ? "Küche" : nil)
        }
        let (short, long) = (code(1, lifetime: 60), code(2, lifetime: 3600))
        for code in [short, long] { try await store.insert(code, now: Fixture.now, audit: Fixture.audit(1)) }
        #expect(try await reader.setUpCode(short.hash) == short)
        #expect(try await reader.setUpCode(long.hash) == long)
        #expect(try await reader.setUpCodes(at: Fixture.now) == [short, long])
        #expect(try await reader.setUpCodes(at: short.expires) == [long])
        await #expect(throws: StoreError.self) {
            try await store.insert(long, now: Fixture.now, audit: Fixture.audit(1))
        }
        let position = try await reader.latestChange()
        let pair = self.keyPair("a", requestors: [Fixture.northSport])
        #expect(try await !store.takeSetUpCode([9], keeping: pair, audit: [Fixture.audit(2)]))
        #expect(try await reader.credentials().keyPairs.isEmpty)
        #expect(try await store.takeSetUpCode(long.hash, keeping: pair, audit: [Fixture.audit(2), Fixture.audit(3)]))
        #expect(try await reader.setUpCode(long.hash) == nil)
        #expect(try await reader.credentials().keyPairs == [pair])
        #expect(try await reader.subjects(after: position) == [.credentials])
        let second = self.keyPair("b", requestors: [Fixture.northSport])
        #expect(try await !store.takeSetUpCode(long.hash, keeping: second, audit: [Fixture.audit(4)]))
        #expect(try await reader.credentials().keyPairs == [pair])
        #expect(try await reader.auditEntries(limit: 9).count == 4)
        let statement = code(5, lifetime: 3600, softwareID: "software-1")
        try await store.insert(statement, now: Fixture.now, audit: Fixture.audit(6))
        #expect(try await reader.setUpCode(statement.hash) == statement)
        #expect(try await store.takeSetUpCode(statement.hash, keeping: nil, audit: [Fixture.audit(7)]))
        #expect(try await !store.takeSetUpCode(statement.hash, keeping: nil, audit: [Fixture.audit(8)]))
        #expect(try await reader.credentials().keyPairs == [pair])
        // What is over goes with the next one that is made.
        let unused = code(3, lifetime: 3600)
        try await store.insert(unused, now: short.expires, audit: Fixture.audit(5))
        #expect(try await reader.setUpCode(short.hash) == nil)
        // The last one is over without a next.
        #expect(try await store.purge(limit: 9, now: unused.expires - .milliseconds(1)) == 0)
        #expect(try await reader.setUpCode(unused.hash) == unused)
        #expect(try await store.purge(limit: 9, now: unused.expires) == 1)
        #expect(try await reader.setUpCode(unused.hash) == nil)
    }

    @Test("are sealed anew only from what is stored, and end as they did", arguments: StoreUnderTest.all)
    func resealing(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(
            self.keyPair("a", requestors: [Fixture.southNews], ends: Fixture.now), audit: Fixture.audit(1))
        #expect(try await store.reseal("a", from: [9, 0, 254], to: [1]) == false)
        #expect(try await store.reseal("b", from: [9, 0, 255], to: [1]) == false)
        let position = try await store.latestChange()
        #expect(try await store.reseal("a", from: [9, 0, 255], to: [1, 2]))
        #expect(try await store.reseal("a", from: [9, 0, 255], to: [3]) == false)
        let pair = try #require(try await store.credentials().keyPairs.first)
        #expect(pair.sealedPrivateKey == [1, 2])
        #expect(pair.requestors == [Fixture.southNews] && pair.ends == Fixture.now)
        #expect(try await store.latestChange() != position)
    }

    @Test("are kept under their key: saved again, they replace", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(
            self.keyPair("a", requestors: [Fixture.northSport, Fixture.southNews]), audit: Fixture.audit(1))
        try await store.save(self.application("1", scopes: ["x", "y"]), audit: Fixture.audit(1))
        let pair = self.keyPair("a", requestors: [Fixture.southNews], ends: Fixture.now)
        let application = self.application("1", scopes: ["y"], ends: Fixture.now)
        try await store.save(pair, audit: Fixture.audit(1))
        try await store.save(application, audit: Fixture.audit(1))
        let read = try await store.credentials()
        #expect(read.keyPairs == [pair])
        #expect(read.applications == [application])
    }

    @Test("end at the earliest moment that was set, and only once in the log", arguments: StoreUnderTest.all)
    func ending(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let soon = Fixture.now + .seconds(60)
        var pair = self.keyPair("a", requestors: [Fixture.southNews])
        var application = self.application("1", scopes: ["x"])
        try await store.save(pair, audit: Fixture.audit(1))
        try await store.save(application, audit: Fixture.audit(2))
        (pair.ends, application.ends) = (soon, soon)
        #expect(try await store.endKeyPair("a", at: soon, audit: Fixture.audit(3)) == pair)
        #expect(try await store.endApplication("1", at: soon, audit: Fixture.audit(4)) == application)
        // A later end is none, and neither is the end of what is not there.
        let position = try await reader.latestChange()
        let later = soon + .seconds(1)
        #expect(try await store.endKeyPair("a", at: later, audit: Fixture.audit(5)) == pair)
        #expect(try await store.endApplication("1", at: later, audit: Fixture.audit(5)) == application)
        #expect(try await store.endKeyPair("b", at: soon, audit: Fixture.audit(5)) == nil)
        #expect(try await store.endApplication("2", at: soon, audit: Fixture.audit(5)) == nil)
        #expect(try await reader.latestChange() == position)
        #expect(try await reader.auditEntries(limit: 9).count == 4)
        (pair.ends, application.ends) = (Fixture.now, Fixture.now)
        #expect(try await store.endKeyPair("a", at: Fixture.now, audit: Fixture.audit(6)) == pair)
        #expect(try await store.endApplication("1", at: Fixture.now, audit: Fixture.audit(7)) == application)
        #expect(try await reader.subjects(after: position) == [.credentials, .credentials])
        let read = try await reader.credentials()
        #expect(read.keyPairs == [pair])
        #expect(read.applications == [application])
    }

    @Test("of installations are found by their ID", arguments: StoreUnderTest.all)
    func clients(_ kind: StoreUnderTest) async throws {
        let (store, other) = try await kind.pair()
        let client = ClientRecord(
            clientID: "c1", secretHash: [1, 0, 2], softwareID: "1", redirectURIs: ["b://x", "a://y"],
            created: Fixture.now)
        let bare = ClientRecord(clientID: "C1", secretHash: [], softwareID: "1", redirectURIs: [], created: Fixture.now)
        try await store.insert(client)
        try await store.insert(bare)
        #expect(try await other.client("c1") == client)
        #expect(try await other.client("C1") == bare)
        #expect(try await other.client("c2") == nil)
    }

    @Test("of an installation are never replaced", arguments: StoreUnderTest.all)
    func clientCollision(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let client = ClientRecord(
            clientID: "c1", secretHash: [1], softwareID: "1", redirectURIs: [], created: Fixture.now)
        let impostor = ClientRecord(
            clientID: "c1", secretHash: [2], softwareID: "1", redirectURIs: ["x"], created: Fixture.now)
        try await store.insert(client)
        await #expect { try await store.insert(impostor) } throws: { ($0 as? StoreError)?.code == .conflict }
        #expect(try await store.client("c1") == client)
    }
}

@Suite("In every store, accounts", .stores)
struct AccountTests {
    private func account(
        _ name: String, _ mvpd: MVPDID = Fixture.cableNova, id: String? = nil, lineUp: [String] = ["*"]
    ) -> Account {
        Account(mvpd: mvpd, id: id ?? "id of \(name)", name: name, passwordHash: "$y$j9T$x$\(name)", lineUp: lineUp)
    }

    @Test("are kept under provider and name, and listed by both", arguments: StoreUnderTest.all)
    func keeping(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        #expect(try await store.accounts() == [])
        let accounts = [
            self.account("anna"), self.account("bert", lineUp: ["Z", "A", "A"]), self.account("ünal", lineUp: []),
            self.account("anna", Fixture.skyPeak, lineUp: ["News/HD", "News"]),
        ]
        for account in accounts.reversed() { try await store.save(account) }
        #expect(try await store.accounts() == accounts)
        for account in accounts { #expect(try await store.account(account.name, of: account.mvpd) == account) }
        #expect(try await store.account("Anna", of: Fixture.cableNova) == nil)
        #expect(try await store.account("bert", of: Fixture.skyPeak) == nil)
    }

    @Test("are swapped when the version is that which was read, line-up and all", arguments: StoreUnderTest.all)
    func replacement(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let account = self.account("anna", lineUp: ["A", "B", "C"])
        #expect(try await store.insert(account, audit: Fixture.audit(1)))
        // The name is taken.
        #expect(try await store.insert(self.account("anna"), audit: Fixture.audit(2)) == false)
        var again = account
        (again.passwordHash, again.lineUp, again.metadata) = ("$y$new", ["B"], ["zip": .text("1")])
        #expect(try await store.replace(again, audit: Fixture.audit(3)))
        #expect(try await store.replace(again, audit: Fixture.audit(4)) == false)
        again.version = 1
        #expect(try await store.accounts() == [again])
        #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(3), Fixture.audit(1)])
    }

    @Test("that are gone do not come back by a late change, nor under their name", arguments: StoreUnderTest.all)
    func inheritance(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let first = self.account("anna", id: Account.newID())
        #expect(try await store.insert(first, audit: nil))
        #expect(try await store.deleteAccount("anna", of: first.mvpd, audit: Fixture.audit(1)) == first)
        #expect(try await store.deleteAccount("anna", of: first.mvpd, audit: Fixture.audit(2)) == nil)
        #expect(try await store.replace(first, audit: nil) == false)
        #expect(try await store.accounts() == [])
        let second = self.account("anna", id: Account.newID())
        #expect(first.id != second.id)
        #expect(try await store.insert(second, audit: nil))
        #expect(try await store.replace(first, audit: nil) == false)
        #expect(try await store.account(id: first.id, of: first.mvpd) == nil)
        #expect(try await store.account(id: second.id, of: first.mvpd) == second)
        #expect(try await store.account(id: second.id, of: Fixture.skyPeak) == nil)
        // An ID is one account's alone.
        let impostor = Account(mvpd: second.mvpd, id: second.id, name: "bert", passwordHash: "$y$", lineUp: [])
        #expect(try await store.insert(impostor, audit: nil) == false)
        #expect(try await store.auditEntries(limit: 9) == [Fixture.audit(1)])
    }

    @Test("keep what requestors are told of the viewer, whatever its shape", arguments: StoreUnderTest.all)
    func metadata(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        let metadata: [String: MetadataValue] = [
            "householdID": .text("H-1"), "zip": .list(["12345", "1", "12345"]),
            "maxRating": .map([
                NamedText("VCHIP", "TV-14"), NamedText("MPAA", "PG-13"),
            ]),
        ]
        let account = Account(
            mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["A"], metadata: metadata)
        try await store.save(account)
        try await store.save(self.account("anna", Fixture.skyPeak))
        #expect(try await store.account("anna", of: Fixture.cableNova) == account)
        #expect(try await store.accounts() == [account, self.account("anna", Fixture.skyPeak)])
        try await store.save(self.account("anna"))
        #expect(try await store.account("anna", of: Fixture.cableNova)?.metadata == [:])
    }

    @Test("are told to other programs when they change or go", arguments: StoreUnderTest.all)
    func feed(_ kind: StoreUnderTest) async throws {
        let (store, reader) = try await kind.pair()
        let account = self.account("anna")
        #expect(try await store.insert(account, audit: nil))
        let start = try await reader.latestChange()
        #expect(try await store.replace(account, audit: nil))
        #expect(try await reader.subjects(after: start) == [.accounts])
        let changed = try await reader.latestChange()
        #expect(try await store.replace(account, audit: nil) == false)
        #expect(try await reader.latestChange() == changed)
        _ = try await store.deleteAccount("anna", of: account.mvpd, audit: nil)
        _ = try await store.deleteAccount("anna", of: account.mvpd, audit: nil)
        #expect(try await reader.subjects(after: changed) == [.accounts])
    }

    @Test(arguments: StoreUnderTest.all) func `are erased once`(_ kind: StoreUnderTest) async throws {
        let store = try await kind.store()
        try await store.save(self.account("anna"))
        try await store.save(self.account("anna", Fixture.skyPeak))
        let account = self.account("anna")
        #expect(try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil) == account)
        #expect(try await store.deleteAccount("anna", of: Fixture.cableNova, audit: nil) == nil)
        #expect(try await store.accounts() == [self.account("anna", Fixture.skyPeak)])
    }
}
