import Cryptography

/// Dynamic client registration (rest-v1 10.2), and the exchange of a new box's set-up code.
struct ClientRegistration: Face {
    typealias Refusal = OAuthError

    static let name: StaticString = "registration"

    let context: FaceContext
    let statements: SoftwareStatementReader
    /// The signer of the software statement of a set-up code.
    let statementKey: @Sendable () -> RSAPrivateKey?

    /// In the order of the description.
    static let all: [Endpoint<ClientRegistration>] = registerEndpoints + setUpEndpoints

    var endpoints: [Endpoint<ClientRegistration>] { Self.all }
}
