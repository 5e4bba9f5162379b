import AccessEnabler
import AccessEnablerConstants
import Clientless
import FoundationEssentials
import TestSupport
import Testing

@Suite("getMetadata", .box, .timeLimit(.minutes(5)))
struct MetadataTests {
    private typealias Answer = (
        value: AccessEnabler.MetadataValue?, encrypted: Bool, key: Int,
        arguments: [String: AccessEnabler.MetadataArgument]
    )

    private func ask(_ application: TestApplication, _ arguments: [String: AccessEnabler.MetadataArgument]) async throws
        -> Answer
    {
        let before = application.recorder.metadata.count
        application.enabler.getMetadata(arguments)
        await application.settle()
        try #require(application.recorder.metadata.count == before + 1)
        return try #require(application.recorder.metadata.last)
    }

    /// The answer about a fact of a viewer who is signed in.
    private func user(_ name: String, payload: String? = nil) async throws -> Answer {
        let service = try ScriptedService { if let payload { $0.userMetadata = payload } }
        let application = try await TestBox().signedIn(service)
        let requests = service.requests.count
        let answer = try await self.ask(application, AccessEnabler.MetadataQuery.user(name: name).arguments)
        #expect(service.requests.count == requests)
        await application.enabler.shutDown()
        return answer
    }

    private static let expiry = [METADATA_OPCODE_KEY: AccessEnabler.MetadataArgument.opcode(METADATA_AUTHENTICATION)]
    private static let device = [METADATA_OPCODE_KEY: AccessEnabler.MetadataArgument.opcode(METADATA_DEVICE_ID)]

    private static func permit(_ resource: String) -> [String: AccessEnabler.MetadataArgument] {
        [METADATA_OPCODE_KEY: .opcode(METADATA_AUTHORIZATION), METADATA_RESOURCE_ID_KEY: .text(resource)]
    }

    @Test func `T-292 METADATA_AUTHENTICATION delivers the expiry text of the authentication token`() async throws {
        let application = try await box.signedIn(service.set { $0.tokenExpires = "2033/05/18 05:33:19 GMT +0200" })
        let answer = try await self.ask(application, Self.expiry)
        #expect(answer.value == .string("2033/05/18 05:33:19 GMT +0200"))
        let result = await application.enabler.metadata(.authenticationExpiry)
        #expect(result.value == answer.value && result.date == Date(timeIntervalSince1970: 1_999_999_999))
    }

    @Test("T-293 METADATA_AUTHORIZATION delivers the expiry text of the token of the given resource")
    func authorization() async throws {
        let application = try await box.signedIn(service.set { $0.permitExpires = "2033/05/17 05:33:19 GMT +0200" })
        _ = try await application.enabler.authorize("r")
        service.set { $0.permitExpires = "2033/05/16 03:33:19 GMT +0000" }
        _ = try await application.enabler.authorize("other")
        #expect(try await self.ask(application, Self.permit("r")).value == .string("2033/05/17 05:33:19 GMT +0200"))
        let other = try await self.ask(application, Self.permit("other"))
        #expect(other.value == .string("2033/05/16 03:33:19 GMT +0000"))
    }

    @Test("T-294 Without a token the value is nil", .configured, arguments: [Self.expiry, Self.permit("r")])
    func none(arguments: [String: AccessEnabler.MetadataArgument]) async throws {
        let answer = try await self.ask(application, arguments)
        #expect(answer.value == nil && !answer.encrypted && answer.arguments == arguments)
        try await application.signIn(service)
        // Of another resource only.
        _ = try await application.enabler.authorize("other")
        #expect(try await self.ask(application, Self.permit("r")).value == nil)
    }

    @Test("T-294 With an expired token the value is nil", arguments: [Self.expiry, Self.permit("r")])
    func expired(arguments: [String: AccessEnabler.MetadataArgument]) async throws {
        let service = try ScriptedService { behaviour in
            behaviour.tokenExpires = "2027/01/15 09:00:00 GMT +0000"
            behaviour.permitExpires = "2027/01/15 08:30:00 GMT +0000"
        }
        let application = try await box.signedIn(service)
        _ = try await application.enabler.authorize("r")
        #expect(try await self.ask(application, arguments).value != nil)
        box.clock.advance(by: .seconds(arguments == Self.expiry ? 3600 : 1800))
        #expect(try await self.ask(application, arguments).value == nil)
    }

    @Test("T-295 METADATA_DEVICE_ID delivers nil while the feature is disabled", arguments: ["", "false"])
    func noDeviceID(setting: String) async throws {
        let service = try ScriptedService {
            $0.requestorMetadata = setting.isEmpty ? "" : #""deviceIdEnabled":\#(setting)"#
        }
        let application = try await box.signedIn(service)
        #expect(try await self.ask(application, Self.device).value == nil)
    }

    @Test func `T-296 METADATA_DEVICE_ID delivers the device ID when it is enabled`() async throws {
        let application = try await box.application(service.set { $0.requestorMetadata = #""deviceIdEnabled":true"# })
        let expected = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "com.example").text
        #expect(try await self.ask(application, Self.device).value == .string(expected))
    }

    @Test func `T-297 T-298 zip is delivered as a list, maxRating as a map`() async throws {
        #expect(try await self.user("zip").value == .array([.string("12345"), .string("34567")]))
        #expect(try await self.user("maxRating").value == .object(["MPAA": .string("PG-13")]))
    }

    @Test(arguments: ["encryptedZip", "zip", "householdID", "unknown"])
    func `T-299 T-300 encrypted is true for a name in the encrypted list alone`(name: String) async throws {
        #expect(try await self.user(name).encrypted == (name == "encryptedZip"))
    }

    @Test func `T-301 encrypted is false for static metadata`() async throws {
        let service = try ScriptedService { behaviour in
            behaviour.requestorMetadata = #""deviceIdEnabled":true"#
            // Even if somebody gave a fact such a name.
            behaviour.userMetadata = #"{"updated":1,"encrypted":["0","1","2","r"],"data":{}}"#
        }
        let application = try await box.signedIn(service)
        _ = try await application.enabler.authorize("r")
        for arguments in [Self.expiry, Self.permit("r"), Self.device] {
            let answer = try await self.ask(application, arguments)
            #expect(answer.value != nil && !answer.encrypted)
        }
    }

    @Test(
        "T-302 T-303 arguments equals the dictionary of the request, and key its opcode", .signedIn,
        arguments: [
            [METADATA_OPCODE_KEY: .opcode(0), "further": .text("x")],
            [METADATA_OPCODE_KEY: .opcode(1), METADATA_RESOURCE_ID_KEY: .text("r")],
            [METADATA_OPCODE_KEY: .opcode(1)], [METADATA_OPCODE_KEY: .opcode(2)],
            [METADATA_OPCODE_KEY: .opcode(3), METADATA_USER_META_KEY: .text("zip")],
            [METADATA_OPCODE_KEY: .opcode(17), "a": .opcode(4)],
        ] as [[String: AccessEnabler.MetadataArgument]])
    func request(arguments: [String: AccessEnabler.MetadataArgument]) async throws {
        let answer = try await self.ask(application, arguments)
        #expect(answer.arguments == arguments)
        #expect(arguments[METADATA_OPCODE_KEY] == .opcode(answer.key))
    }

    @Test func `T-304 An encrypted value is delivered unchanged`() async throws {
        let text = "bUZ6\\n AA+/==\\u0026"
        let payload = #"{"updated":1,"encrypted":["secret"],"data":{"secret":"\#(text)"}}"#
        let answer = try await self.user("secret", payload: payload)
        #expect(answer.value == .string("bUZ6\n AA+/==&") && answer.encrypted)
    }

    @Test func `T-305 An unknown user metadata name delivers nil`() async throws {
        let answer = try await self.user("nothing")
        #expect(answer.value == nil && !answer.encrypted && answer.key == METADATA_USER_META)
    }

    @Test func `A value that is null is none, and takes no other with it`() async throws {
        let payload = #"{"updated":1,"data":{"zip":null,"list":["a",null],"map":{"b":null,"c":1},"flag":true}}"#
        #expect(try await self.user("zip", payload: payload).value == nil)
        #expect(try await self.user("list", payload: payload).value == .array([.string("a")]))
        #expect(try await self.user("map", payload: payload).value == .object(["c": .number(1)]))
        #expect(try await self.user("flag", payload: payload).value == .bool(true))
    }

    @Test func `An authorization whose answer tells of no earlier change brings the facts up to date`() async throws {
        let service = try ScriptedService { $0.userMetadata = #"{"updated":5,"data":{"householdID":"old"}}"# }
        let application = try await box.signedIn(service)
        let query = AccessEnabler.MetadataQuery.user(name: "householdID")
        for (updated, told, known) in [(4, "older", "old"), (5, "used", "used"), (6, "new", "new")] {
            service.set { $0.userMetadata = #"{"updated":\#(updated),"data":{"householdID":"\#(told)"}}"# }
            _ = try await application.enabler.authorize(told)
            #expect(await application.enabler.metadata(query).value == .string(known))
        }
    }
}
