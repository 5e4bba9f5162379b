import Clientless
import FoundationEssentials
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite(
    "The viewer's boxes, by the SDK services", .wire(catalogue: WireFixture.sdkCatalogue), .box, .timeLimit(.minutes(5))
)
struct ViewerBoxTests {
    private struct List: Decodable {
        struct Box: Decodable {
            let box: String
            let since: String
            let seen: String?
            let this: Bool
        }

        let boxes: [Box]
        let more: Bool
    }

    private static func boxes(_ token: String, _ box: SDKBox) async throws -> List {
        let answer = try await box.call("boxes", [("authentication_token", token)]).expect(
            200, headers: ["Content-Type": "application/json;charset=utf-8"])
        for device in ["box-1", "box-2"] { #expect(!answer.text.contains(device)) }
        return try JSONDecoder().decode(List.self, from: Data(answer.text.utf8))
    }

    @Test func `are listed without device IDs, and signed out by one another`() async throws {
        let lost = box.with { $0.device = "box-2" }
        let token = try await box.signIn()
        wire.clock.advance(by: .seconds(1))
        let lostToken = try await lost.signIn()
        let list = try await Self.boxes(token, box)
        #expect(!list.more && list.boxes.map(\.this) == [true, false])
        #expect(list.boxes[1].since == String(wire.clock.now.milliseconds))
        #expect(list.boxes.map(\.seen) == [String(wire.clock.now.milliseconds), nil])
        let handle = list.boxes[1].box
        func end(_ handle: String, _ box: SDKBox, _ token: String) async throws -> WireAnswer {
            try await box.call("boxLogout", [("authentication_token", token), ("box", handle)])
        }
        // As it is typed when it was read out.
        #expect(try await end(handle.uppercased().replacing("-", with: " "), box, token).status == 204)
        #expect(try await end(handle, box, token).isError(404, "404"))
        #expect(try await end(list.boxes[0].box, box, token).isError(404, "404"))
        for bad in ["nonsense", "0123456789abcde"] {
            #expect(try await end(bad, box, token).isError(400, "400"), "\(bad)")
        }
        #expect(try await box.call("boxLogout", [("authentication_token", token)]).isError(400, "400"))
        let answer = try await lost.call("usermetadata", [("authentication_token", lostToken)])
        #expect(answer.isPendingLogout)
        #expect(answer.headers["Latchkey-Sign-In-Ending"] == "signed_out_elsewhere")
        #expect(try await Self.boxes(token, box).boxes.count == 1)
    }

    @Test("are told to a box that shows its own document, not to a caller that only knows its device ID")
    func proof() async throws {
        let token = try await box.signIn()
        for operation in ["boxes", "boxLogout"] {
            let more = operation == "boxes" ? [] : [("box", "0123456789abcdef")]
            #expect(try await box.call(operation, more).isError(400, "400"))
            let presented = more + [("authentication_token", token)]
            let thief = box.with { $0.device = "box-2" }
            #expect(try await thief.call(operation, presented).isError(401, "SEC412"))
        }
    }
}
