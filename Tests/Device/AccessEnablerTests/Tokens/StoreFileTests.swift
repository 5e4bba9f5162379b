import Clientless
import FoundationEssentials
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("The file of a private store", .box, .timeLimit(.minutes(5)))
struct StoreFileTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `T-279 The private store file has mode 0600`() async throws {
        for round in 0..<2 {
            try await box.prepare { $0.signIn("mvpd-\(round)") }
            #expect(try self.mode(box.storePath) == 0o600)
            #expect(try self.mode(box.folder.file("state")) == 0o700)
        }
    }

    @Test func `T-280 An interrupted write leaves the previous content readable`() async throws {
        try await box.prepare { $0.signIn("CableNova") }
        let before = try box.image()
        // What a killed process leaves, and what nobody can write over.
        try box.folder.write("{\"schema\":1,\"reque", to: "state/store.json.new")
        #expect(try box.image() == before)
        try await box.prepare { $0.signIn("SatOne") }
        #expect(try box.image().mvpds() == ["CableNova", "SatOne"])
        try FileManager.default.createDirectory(
            atPath: box.folder.file("state/store.json.new"), withIntermediateDirectories: false)
        await #expect(throws: EntitlementError.self) { try await box.prepare { $0.signIn("Third") } }
        #expect(try box.image().mvpds() == ["CableNova", "SatOne"])
    }
}

@Suite("A token document", .timeLimit(.minutes(5)))
struct TokenDocumentTests {
    @Test func `T-281 A token fragment without a common root is read`() throws {
        for gap in ["", "\n", "\r\n  "] {
            let authentication = authenticationXML("CableNova", guid: "71C69B91")
                .replacing("</signatureInfo>", with: "</signatureInfo>\(gap)")
            let token = try AuthenticationToken(xml: authentication)
            #expect(token.guid == "71C69B91" && token.mvpdID == "CableNova")
            #expect(token.xml == authentication)
            let authorization = authorizationXML("channel")
                .replacing("</signatureInfo>", with: "</signatureInfo>\(gap)")
            #expect(try AuthorizationToken(xml: authorization).resource == "channel")
        }
    }

    @Test func `T-282 2011/03/19 02:29:34 GMT +0200 is read as 00:29:34 UTC of that day`() throws {
        let text = "2011/03/19 02:29:34 GMT +0200"
        let authentication = try AuthenticationToken(xml: authenticationXML("CableNova", expires: text))
        let authorization = try AuthorizationToken(xml: authorizationXML("channel", expires: text))
        // 2011-03-19T00:29:34Z
        #expect(authentication.expires.milliseconds == 1_300_494_574_000)
        #expect(authorization.expires.milliseconds == 1_300_494_574_000)
        #expect(authentication.expiryText == text && authorization.expiryText == text)
    }
}

@Suite("The device ID", .box, .timeLimit(.minutes(5)))
struct DeviceIDTests {
    @Test("T-283 The device ID is equal after a restart", arguments: [true, false])
    func restart(hasMachineID: Bool) async throws {
        if !hasMachineID { try box.folder.write("uninitialized\n", to: "machine-id") }
        var ids: [String] = []
        for run in 0..<2 {
            let service = try ScriptedService()
            let application = try await TestBox().application(service) {
                // Not the same chance twice: only the store can tell.
                if run == 1 { $0.randomness = SystemRandomness() }
            }
            ids.append(try #require(service.last("/api/v1/config")?.headers["ap_21"]))
            #expect(try await application.enabler.deviceID().text == ids.last)
            await application.enabler.shutDown()
        }
        #expect(ids[0] == ids[1])
        #expect(ids[0].wholeMatch(of: /[0-9a-f]{64}/) != nil && !ids[0].contains(TestBox.machineID))
    }

    @Test func `T-284 Two device scopes on one box have different device IDs`() async throws {
        var ids: [String] = []
        for id in ["com.example.player", "com.example.guide", "org.other.player"] {
            let service = try ScriptedService()
            let application = try await TestBox().application(service) { $0.applicationID = id }
            ids.append(try #require(service.last("/api/v1/config")?.headers["ap_21"]))
            await application.enabler.shutDown()
        }
        #expect(ids[0] == ids[1] && ids[0] != ids[2])
    }
}
