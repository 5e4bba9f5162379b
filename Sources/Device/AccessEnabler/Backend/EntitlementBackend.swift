package import Clientless
package import Cryptography

/// The operations of a server the library needs (access-enabler 17), whatever protocol they travel over.
///
/// Each throws ``EntitlementError``: `unauthorized` and `unknownClient` ask the caller to renew and repeat.
package protocol EntitlementBackend: Sendable {
    /// The time by the server's clock, as far as it is known.
    var now: Timestamp { get }
    /// How far the box's clock is behind the server's; zero while it is less than a minute.
    var clockOffset: Duration { get }

    func registerClient(softwareStatement: Secret) async throws(EntitlementError) -> ClientCredentials
    func accessToken(for client: ClientCredentials) async throws(EntitlementError) -> AccessToken

    /// A new code for the device; its page is `activationURL`, or the server's own.
    func registrationCode(
        lifetime: Duration?, activationURL: String?, as caller: Caller
    ) async throws(EntitlementError) -> RegistrationCode
    func deleteRegistrationCode(_ code: String, as caller: Caller) async throws(EntitlementError)
    /// Asks whether somebody has signed in with `code`.
    func poll(_ code: String, _ poll: PollingSchedule.Poll, as caller: Caller) async throws(EntitlementError)
        -> PollAnswer
    /// Asks whether somebody is signed in on this device, by whatever code.
    func poll(device poll: PollingSchedule.Poll, as caller: Caller) async throws(EntitlementError) -> PollAnswer

    /// Asks the provider for a decision. `notAuthorized` with its words in `detail` when it says no; also when nobody
    /// is signed in, which ``isSignedIn(as:)`` tells apart.
    func authorize(_ resource: Resource, as caller: Caller) async throws(EntitlementError)
    /// A media token for a resource that is authorized; `notAuthorized` when it is not.
    func mediaToken(_ resource: Resource, as caller: Caller) async throws(EntitlementError) -> MediaToken
    func isSignedIn(as caller: Caller) async throws(EntitlementError) -> Bool
    func logout(as caller: Caller) async throws(EntitlementError)
    /// What the provider calls itself; `nil` when the server does not list it.
    func displayName(ofProvider id: String, requestor: RequestorID) async throws(EntitlementError) -> String?
}

/// Who calls: proof, requestor, device, and what the box says of itself.
package struct Caller: Sendable {
    package enum Proof: Sendable {
        case accessToken(Secret)
        case keyPair(KeyPair)
    }

    package let proof: Proof
    package let requestor: RequestorID
    package let deviceID: DeviceID

    package init(proof: Proof, requestor: RequestorID, deviceID: DeviceID) {
        self.proof = proof
        self.requestor = requestor
        self.deviceID = deviceID
    }
}

/// What an installation got at registration, and keeps for ever (rest-v1 10.7).
package struct ClientCredentials: Sendable {
    package let id: String
    package let secret: Secret
}

/// Proof for some hours.
package struct AccessToken: Sendable {
    package let text: Secret
    /// When to get a new one, shortly before it runs out, by the server's clock.
    package let renewAt: Timestamp
}

/// What the server said to "signed in yet?".
package struct PollAnswer: Sendable {
    package enum Verdict: Sendable {
        case signedIn(Authentication)
        case notYet
        /// 410: what was obtained is over.
        case gone
    }

    package let verdict: Verdict
    /// `nil` from servers that do not say.
    package let state: CodeState?
    /// The words of a provider that refused a login, untrusted.
    package let providerReason: String?
    /// Whether the server honoured the wish to hold the question.
    package let isHeld: Bool
}
