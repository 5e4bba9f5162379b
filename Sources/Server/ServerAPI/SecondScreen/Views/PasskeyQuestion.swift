import Cryptography
import Entitlement

/// The request of a page to the browser's authenticators, for the script that asks.
struct PasskeyQuestion: Sendable {
    let challenge: [UInt8]
    let party: RelyingParty
    let formToken: String
    /// For a new passkey; `nil` if one is to be used.
    var offer: PasskeyOffer?

    /// - Returns: nothing under each name if there is no question.
    static func values(of question: PasskeyQuestion?) -> TemplateValues {
        let offer = question?.offer
        func text(_ value: String?) -> TemplateValue { value.map(TemplateValue.text) ?? .absent }
        return [
            "passkeyChallenge": text(question.map { Base64.encodeURL($0.challenge) }),
            "passkeyParty": text(question?.party.id),
            "passkeyOrigin": text(question?.party.origin),
            "passkeyToken": text(question?.formToken),
            "passkeyHandle": text(offer.map { Base64.encodeURL($0.handle) }),
            "passkeyAccount": text(offer?.accountName),
            "passkeyKnown": text(offer.map { $0.known.map { Base64.encodeURL($0) }.joined(separator: " ") }),
        ]
    }
}
