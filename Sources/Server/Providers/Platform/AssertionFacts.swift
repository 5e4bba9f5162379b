import Clientless

/// What an assertion says, once it is believed.
struct AssertionFacts: Hashable, Sendable {
    /// The longest assertion ID taken, in bytes; it is kept to refuse a second use.
    static let maximumIDSize = 256
    /// The longest name of a viewer taken, in bytes. SAML 2.0 Core 8.3.7 admits 256 characters.
    static let maximumNameSize = 1024

    let id: String
    /// The issuer's name for the viewer.
    let name: String
    /// The issuer's name for the sign-in.
    let sessionIndex: String?
    /// When the sign-in is over at the issuer, where the assertion says so.
    let sessionEnd: Timestamp?
    /// From here on it would be refused, whatever else it says.
    let acceptableUntil: Timestamp
    /// As they came.
    let attributes: [XMLElement]
}
