import Clientless
import Entitlement

/// A platform whose responses say in clear whom they are about: what is in a real one, and how it is checked, is the
/// business of Providers and its tests.
struct StatedAssertions: PlatformAssertions {
    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion {
        guard response.elementsEqual("<Response>ada</Response>".utf8)
        else { throw ProviderError(detail: "not the response of this test") }
        return PlatformAssertion(
            login: ProviderLogin(
                upstreamUserID: "ada", session: ProviderSession(account: "ada"),
                metadata: ["householdID": .text("H-3456")]),
            assertionID: "assertion-1", issuer: "https://platform.example", expires: now + .seconds(300))
    }
}
