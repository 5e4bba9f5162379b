import Entitlement
import HTTPClient
import Testing
import WireAnswers

@Suite(
    "What requestors of the SDK services opt in to", .wire(catalogue: WireFixture.sdkCatalogue), .timeLimit(.minutes(5))
)
struct OptInTests {
    @Test func `is why a resource is not permitted, ahead of playing it`() async throws {
        let box = try await SDKBox(wire).with { $0.requestor = WireFixture.sibling }
        let token = try await box.signIn()
        let answer = try await box.call(
            "preauthorize",
            [
                ("authentication_token", token), ("resource_id", "North Sport HD"), ("resource_id", "Else"),
            ], headers: ["Accept": "application/json"]
        ).expect(200)
        let trace = try #require(answer.headers["Adobe-Request-Id"])
        let reason = try #require(answer.value("details"))
        #expect(
            answer.text
                == #"{"resources":[{"id":"North Sport HD","authorized":true},{"id":"Else","authorized":false,"#
                + #""error":{"status":403,"code":"authorization_denied_by_mvpd","message":"User not authorized","#
                + #""details":"\#(reason)","helpUrl":"https://tve.example.net/help/errors","trace":"\#(trace)","#
                + #""action":"none"}}]}"#)
    }

    @Test func `is metadata nobody but the programmer reads`() async throws {
        wire.provider.setMetadata(["zip": .list(["12345"]), "maxRating": .map([])])
        // Released encrypted, and there is no certificate to encrypt it for: not released at all.
        let box = try await SDKBox(wire).with { $0.requestor = WireFixture.sibling }
        try await box.call("usermetadata", [("authentication_token", box.signIn())]).expect(
            200, #"{"updated":1767225600,"encrypted":[],"data":{"maxRating":{},"mvpd":"CableNova"}}"#)
    }
}
