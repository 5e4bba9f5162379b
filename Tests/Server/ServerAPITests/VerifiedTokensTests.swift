import Clientless
import Entitlement
import Testing

@testable import ServerAPI

@Suite("The memory of verified tokens")
struct VerifiedTokensTests {
    private static func claims(_ client: String) -> AccessTokenClaims {
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        return AccessTokenClaims(
            clientID: client, issuer: "issuer", issuedAt: now, notBefore: now, expiresAt: now + .seconds(60),
            scopes: [.clientV1], id: "id")
    }

    @Test func `knows a token by all of its bytes`() {
        let memory = VerifiedTokens(bound: 1000)
        memory.remember(Self.claims("a"), of: "eyJ.K.x")
        #expect(memory["eyJ.K.x"]?.clientID == "a")
        // With the sign of Kelvin, which to Swift is the same text and has the same hash.
        #expect("eyJ.\u{212A}.x" == "eyJ.K.x")
        #expect(memory["eyJ.\u{212A}.x"] == nil)
        #expect(memory["eyJ.K.y"] == nil)
        #expect(memory["eyJ.K."] == nil)
    }

    @Test func `keeps no more than its bound, and what is asked for longest`() {
        let memory = VerifiedTokens(bound: 320)
        memory.remember(Self.claims("asked"), of: "asked")
        for number in 0..<10_000 {
            memory.remember(Self.claims("\(number)"), of: "token \(number)")
            #expect(memory["asked"]?.clientID == "asked")
        }
        let kept = (0..<10_000).count { memory["token \($0)"] != nil }
        #expect(kept > 0)
        #expect(kept <= 320)
    }
}
