import FoundationEssentials
import TestSupport
import Testing

@testable import AccessEnabler

/// The time of ``testVault(_:scope:)`` in milliseconds.
private let now: Int64 = 1_800_000_000_000

@Suite("The bounds of a store", .timeLimit(.minutes(5)))
struct StoreBoundsTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test func `T-259 Sign-ins survive a restart beside thousands of decisions on long resources`() async throws {
        let store = AccessEnabler.PrivateFileStore(path: folder.file("state/store.json"))
        let vault = testVault(store)
        // As programmes have them: a literal of rest-v1 3.7, a new one every day.
        let programme = String(repeating: "<item>", count: 120)
        for day in 0..<4 {
            try await vault.update { image in
                for requestor in ["NORTHSPORT", "SOUTHSPORT"] {
                    image.signIn("CableNova", requestor: requestor)
                    for number in 0..<1000 {
                        let id = "\(programme)\(day * 1000 + number)"
                        image[requestor: requestor, mvpd: "CableNova"].authz[id] = .init(
                            xml: authorizationXML("r") + programme, expires: now + Int64(day * 1000 + number + 1))
                    }
                }
            }
            let image = try await testVault(store).image()
            for requestor in ["NORTHSPORT", "SOUTHSPORT"] {
                let provider = image[requestor: requestor, mvpd: "CableNova"]
                #expect(provider.authn?.xml == authenticationXML("CableNova", requestor: requestor))
                #expect(provider.authz.count <= StoreImage.decisionLimit && provider.authz.count > 100)
                // The newest stay.
                #expect(provider.authz["\(programme)\(day * 1000 + 999)"] != nil)
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
        #expect(try #require(size) < 2 << 20)
    }

    @Test("Of too many requestors, providers and registrations the oldest go, never the one in use")
    func branches() async throws {
        let vault = testVault(AccessEnabler.MemoryStore())
        try await vault.update { image in
            for number in 0..<150 {
                image.signIn("provider-\(number)", stored: Int64(1000 + number))
                image.signIn("CableNova", requestor: "R\(number)", stored: Int64(1000 + number))
                image[registration: "https://one.example", "statement-\(number)"] = .init(
                    clientID: "c", clientSecret: "s", renewAt: Int64(number))
                image[registration: "https://\(number).example", "statement"] = .init(
                    clientID: "c", clientSecret: "s", renewAt: Int64(number))
            }
            image[requestor: "NORTHSPORT"].currentMvpd = "provider-0"
        }
        let image = try await vault.image()
        #expect(image.requestors.count == StoreImage.branchLimit && image.requestors["R149"] != nil)
        #expect(image.requestors["R1"] == nil)
        let own = image[requestor: "NORTHSPORT"].mvpds
        #expect(own.count == StoreImage.branchLimit && own["provider-0"] != nil && own["provider-1"] == nil)
        #expect(image.registrations.count == StoreImage.serverLimit)
        #expect(image.registrations["https://one.example"]?.count == StoreImage.memberLimit)
        #expect(image[registration: "https://one.example", "statement-149"] != nil)
    }

    @Test func `What another user of a store makes too large to be read again is not written`() async throws {
        let store = AccessEnabler.PrivateFileStore(path: folder.file("state/store.json"))
        let vault = testVault(store)
        try await vault.update { $0.signIn("CableNova") }
        let before = try await store.content()
        await #expect(throws: AccessEnabler.TokenStoreError.self) {
            _ = try await store.transaction { _ in .replace([UInt8](repeating: 0x20, count: 9 << 20)) }
        }
        #expect(try await store.content().bytes == before.bytes)
    }

    @Test("Two that found damage set it aside once: the second does not move the first one's good file away")
    func damage() async throws {
        try folder.write("{\"schema\":2,\"scopes\":", to: "store.json")
        let store = AccessEnabler.PrivateFileStore(path: folder.file("store.json"))
        let vaults = [testVault(store), testVault(store)]
        for vault in vaults { #expect(try await vault.image().requestors.isEmpty) }
        try await vaults[0].update { $0.signIn("CableNova") }
        try await vaults[1].update { $0.signIn("SatOne") }
        #expect(try await testVault(store).image().mvpds() == ["CableNova", "SatOne"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["store.json", "store.json.corrupt-1", "store.json.lock"])
        #expect(try folder.read("store.json.corrupt-1") == "{\"schema\":2,\"scopes\":")
    }

    @Test func `A tenth damaged file takes the ninth one's place`() async throws {
        let store = AccessEnabler.PrivateFileStore(path: folder.file("store.json"))
        for round in 1...11 {
            try folder.write("damaged \(round)", to: "store.json")
            try await testVault(store).update { $0.signIn("CableNova") }
        }
        #expect(try folder.read("store.json.corrupt-1") == "damaged 1")
        #expect(try folder.read("store.json.corrupt-9") == "damaged 11")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 11)
    }
}

@Suite("Schemas of a store")
struct StoreSchemaTests {
    @Test func `An image exactly as access-enabler 11.6 prints it is read, and written the same again`() throws {
        let text = """
            {
              "schema": 2,
              "scopes": {
                "com.example": {
                  "generation": 7,
                  "requestors": {
                    "NORTHSPORT": {
                      "currentMvpd": "CableNova",
                      "canAuthenticate": true,
                      "mvpds": {
                        "CableNova": {
                          "authn": { "xml": "…", "expires": 2000000000000, "deviceScope": "com.example",
                                     "boundDeviceID": "d", "origin": "platform", "stored": 1800000000000 },
                          "authz": { "r": { "xml": "…", "expires": 2000000000000 } },
                          "userMetadata": "{}"
                        }
                      }
                    }
                  }
                }
              },
              "registrations": { "https://a": { "abc": {
                "clientID": "c", "clientSecret": "s", "accessToken": "t", "renewAt": 1800000000000 } } }
            }
            """
        let image = try #require(StoreImage(reading: Array(text.utf8), scope: testScope))
        #expect(image.generation == 7)
        let branch = image[requestor: "NORTHSPORT"]
        #expect(branch.currentMvpd == "CableNova" && branch.canAuthenticate)
        let provider = try #require(branch.mvpds["CableNova"])
        #expect(provider.authn?.expires == 2_000_000_000_000 && provider.authn?.origin == .platform)
        #expect(provider.authz["r"]?.expires == 2_000_000_000_000 && provider.userMetadata == "{}")
        #expect(image[registration: "https://a", "abc"]?.accessToken == "t")
        #expect(try StoreImage(reading: image.encoded(), scope: testScope) == image)
    }

    @Test func `A registration that was made just now is not the first that goes`() async throws {
        let vault = testVault(AccessEnabler.MemoryStore())
        try await vault.update { image in
            for number in 0..<StoreImage.memberLimit {
                image[registration: "https://one.example", "statement-\(number)"] = .init(
                    clientID: "c", clientSecret: "s", renewAt: Int64(number))
            }
        }
        try await vault.update { image in
            image[registration: "https://one.example", "fresh"] = .init(clientID: "c", clientSecret: "s")
        }
        let image = try await vault.image()
        #expect(image[registration: "https://one.example", "fresh"] != nil)
        #expect(image[registration: "https://one.example", "statement-0"] == nil)
    }

    @Test("INTEGRITY_CHECK_CLEAR clears registrations and salt of all device scopes, too, and raises generations")
    func clear() async throws {
        let vault = testVault(AccessEnabler.MemoryStore())
        try await vault.update { image in
            image.signIn("CableNova")
            image.signIn("CableNova", scope: "org.other")
            image[registration: "https://a", "statement"] = .init(clientID: "c", clientSecret: "s")
            image.machineSalt = "salt"
        }
        await vault.check(.clear)
        let image = try await vault.image()
        #expect(image.scopes.values.allSatisfy { $0.requestors.isEmpty && $0.generation == 1 })
        #expect(image.scopes.count == 2 && image.registrations.isEmpty && image.machineSalt == nil)
    }
}
