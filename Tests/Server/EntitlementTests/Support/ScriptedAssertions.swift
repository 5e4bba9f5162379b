import Clientless
import Entitlement

/// Takes a "response" that is the text `<assertion ID> of <account>`, as a platform's issuer would sign it, with
/// ` for <seconds>` where the session at the issuer has an end.
struct ScriptedAssertions: PlatformAssertions {
    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion {
        let words = String(decoding: response, as: UTF8.self).split(separator: " ")
        guard words.count == 3 || words.count == 5, words[1] == "of" else {
            throw ProviderError(detail: "no assertion")
        }
        guard audience == PairingFixture.audience, recipient == PairingFixture.recipient
        else { throw ProviderError(detail: "made out to another server") }
        return PlatformAssertion(
            login: ScriptedProvider.login(of: String(words[2])), assertionID: String(words[0]),
            issuer: boarding.issuerMetadata ?? "", expires: now + .seconds(300),
            sessionEnd: words.count == 5 ? Int64(words[4]).map { now + .seconds($0) } : nil)
    }
}
