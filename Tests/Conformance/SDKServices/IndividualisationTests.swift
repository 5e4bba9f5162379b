import Cryptography
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Devices of the SDK services", .wire, .box, .timeLimit(.minutes(5)))
struct IndividualisationTests {
    private static func ask(
        _ box: SDKBox, _ body: String, headers: HTTPClient.Headers? = nil
    ) async throws -> WireAnswer {
        var headers = headers ?? ["Authorization": "Bearer \(box.token)"]
        headers["Content-Type"] = "application/json"
        return try await box.wire.call(.post, "/indiv/devices", headers: headers, body: body)
    }

    @Test func `get the same name for the same fingerprint, and a pass`() async throws {
        let first = try await Self.ask(box, #"{"fingerprint":"box-1"}"#).expect(
            200, headers: ["Content-Type": "application/json;charset=utf-8", "Cache-Control": "no-store"])
        let name = try #require(first.value("deviceId"))
        #expect(first.text == #"{"deviceId":"\#(name)"}"#)
        #expect(name.utf8.count == 64 && Hex.decode(name).map { Hex.encode($0) } == name)
        #expect((first.headers["pass_sfp"]?.utf8.count ?? 0) > 40)
        #expect(try await Self.ask(box, #" {"other":[1],"fingerprint":"\u0062ox-1"} "#).text == first.text)
        #expect(try await Self.ask(box, #"{"fingerprint":"box-2"}"#).value("deviceId") != name)
    }

    @Test func `get the same name on every node with the same keys`() async throws {
        let name = try #require(try await Self.ask(box, #"{"fingerprint":"box-1"}"#).value("deviceId"))
        try await WireFixture.serve { other in
            let answer = try await Self.ask(SDKBox(other), #"{"fingerprint":"box-1"}"#)
            #expect(answer.value("deviceId") == name)
        }
    }

    @Test func `give fingerprints of 1 to 512 bytes in an object of JSON`() async throws {
        for text in ["a", String(repeating: "a", count: 512), String(repeating: "é", count: 256), "a\\n\\u0000"] {
            #expect(try await Self.ask(box, #"{"fingerprint":"\#(text)"}"#).status == 200)
        }
        let bad = [
            "", "{}", "[]", "{", "null", #"{"fingerprint":""}"#, #"{"fingerprint":1}"#, #"{"fingerprint":null}"#,
            #"{"fingerprint":["a"]}"#, #"{"fingerprint":"\#(String(repeating: "a", count: 513))"}"#,
            #"{"fingerprint":"\#(String(repeating: "é", count: 257))"}"#, "fingerprint=a",
            String(repeating: "[", count: 10_000), #"{"fingerprint":"a""#,
        ]
        for body in bad {
            let answer = try await Self.ask(box, body)
            #expect(answer.isError(400, "400"), "\(body.prefix(60)): \(answer.text)")
            #expect(answer.headers["pass_sfp"] == nil)
        }
    }

    @Test func `are named to every caller: deployed clients ask before they register`() async throws {
        let body = #"{"fingerprint":"box-1"}"#
        let nobody = try await Self.ask(box, body, headers: [:])
        #expect(nobody.status == 200 && nobody.headers["pass_sfp"] != nil, "\(nobody.text)")
        try await Self.ask(box, body, headers: ["Authorization": wire.signature("POST", "/indiv/devices")]).expect(200)
        #expect(try await wire.call(.get, "/indiv/devices").status == 405)
    }

    @Test func `prove their name with the pass, wherever they show it`() async throws {
        let answer = try await Self.ask(box, #"{"fingerprint":"box-1"}"#)
        let pass = try #require(answer.headers["pass_sfp"])
        let own = box.with {
            $0.device = answer.value("deviceId")
            $0.pass = pass
        }
        // An hour or a year later: the pass says who, not until when.
        #expect(try await own.call("session", [("reg_code", "BCDFGHJ")]).isError(404, "404"))
        wire.clock.advance(by: .seconds(3600))
        #expect(try await own.call("session", [("reg_code", "BCDFGHJ")]).isError(404, "404"))
        #expect(try await own.with { $0.pass = "" }.call("session", [("reg_code", "BCDFGHJ")]).status == 404)
        #expect(try await own.with { $0.pass = nil }.call("session", [("reg_code", "BCDFGHJ")]).status == 404)
        let operations = [
            "session", "sessionDevice", "authorize", "authorizeDevice", "shortAuthorize", "deviceShortAuthorize",
            "preauthorize", "usermetadata", "passive", "temporary", "platform", "profile", "logout",
        ]
        for operation in operations {
            let foreign = try await own.with { $0.device = "box-2" }.call(operation)
            #expect(foreign.isError(401, "SEC412"), "\(operation): \(foreign.text)")
        }
        let other = try await Self.ask(box, #"{"fingerprint":"box-2"}"#)
        let exchanged = try #require(other.headers["pass_sfp"])
        #expect(try await own.with { $0.pass = exchanged }.session("BCDFGHJ").isError(401, "SEC412"))
    }

    @Test("prove nothing with a pass that was altered, or signed by a key that is gone, and are served without it")
    func alteredPasses() async throws {
        let answer = try await Self.ask(box, #"{"fingerprint":"box-1"}"#)
        let pass = try #require(answer.headers["pass_sfp"])
        let own = box.with { $0.device = answer.value("deviceId") }
        let bytes = try #require(Base64.decodeURL(pass))
        // The device, the time, and the signature from its first byte to its last.
        for position in [0, 31, 32, 39, 40, bytes.count / 2, bytes.count - 1] {
            var altered = bytes
            altered[position] ^= 1
            let shown = own.with { $0.pass = Base64.encodeURL(altered) }
            #expect(try await shown.session("BCDFGHJ").isError(404, "404"), "byte \(position)")
        }
        let texts = [
            "x", "%", String(pass.dropLast()), String(pass.dropFirst(4)), pass + "AAAA", pass + pass,
            Base64.encodeURL(Array(bytes.prefix(40))), String(repeating: "A", count: 8000),
        ]
        for text in texts {
            #expect(
                try await own.with { $0.pass = text }.session("BCDFGHJ").isError(404, "404"),
                "\(text.prefix(30))")
        }
    }
}
