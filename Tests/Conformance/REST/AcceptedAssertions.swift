import Clientless
import Entitlement

/// Takes the text `accepted` with an ID behind it for a platform's assertion. How real ones are checked is not this
/// face's business: what it hands on, and what it says of the outcome, is.
struct AcceptedAssertions: PlatformAssertions {
    private static let mark = "accepted "

    /// What a device sends, in Base64.
    static func response(_ id: String) -> [UInt8] { Array((self.mark + id).utf8) }

    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion {
        let text = String(decoding: response, as: UTF8.self)
        guard text.hasPrefix(Self.mark), boarding.issuerMetadata == "issuer" else {
            throw ProviderError(detail: "not accepted")
        }
        return (
            login: ProviderLogin(upstreamUserID: "ada", session: ProviderSession(account: "ada")),
            assertionID: String(text.dropFirst(Self.mark.count)), issuer: "issuer", expires: nil, sessionEnd: nil
        )
    }
}
