package import Clientless
import Cryptography

extension SignIns {
    /// How long an assertion that names no end of its own is known to have been used.
    private static let assertionMemory: Duration = .seconds(30 * 24 * 3600)
    /// The difference that clocks may have (rest-v1 13.4).
    private static let assertionLeeway: Duration = .seconds(120)

    /// Signs a device in on the word of the provider account of its operating system (rest-v1 21.2).
    ///
    /// The sign-in does not outlive the one that the assertion tells of.
    /// - Parameter samlResponse: a profile of ``boxAccountProfile(for:by:now:)``, where the accounts of boxes are taken;
    ///   else Base64, any of its alphabets, with or without padding. A space is a plus sign that a
    ///   sloppy client left unencoded.
    /// - Throws: `unknownProvider` when the provider does not take part for this requestor; `platformRefused` for every
    ///   fault of the response, also when it was used before or the provider has no such viewer; `providerUnavailable`,
    ///   `storeUnavailable`.
    package func platformSignIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, samlResponse: String,
        credential: BoxCredential? = nil, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        let boarding = self.catalogue.integration(requestor, mvpd)?.platform
        if boarding?.takesBoxAccounts == true {
            return try await self.boxAccountSignIn(
                context, requestor: requestor, mvpd: mvpd, profile: samlResponse, credential: credential, now: now)
        }
        guard let boarding, boarding.takesPart, let platform = self.platform
        else { throw EntitlementError(.unknownProvider, detail: "no platform exchange is agreed") }
        // Four characters for three bytes, and some for line ends.
        guard samlResponse.utf8.count <= PlatformBoarding.maximumLength / 2 * 3,
            let response = Self.decoded(samlResponse), !response.isEmpty,
            response.count <= PlatformBoarding.maximumLength
        else { throw EntitlementError(.platformRefused, platformFault: .unreadable) }
        let assertion = try await self.assertion(response, boarding, platform, now: now)
        // The viewer as the provider itself has it: what ends an account then ends these sign-ins too.
        let verdict = try await self.providers.ask(mvpd) { (provider) throws(ProviderError) in
            try await provider.recognise(assertion.login)
        }
        guard case .accepted(let login) = verdict
        else {
            throw EntitlementError(
                .platformRefused, platformFault: .unproven, detail: "the provider has no such viewer")
        }
        try await self.takeOnce(assertion, now: now)
        return try await self.signIn(
            context, requestor: requestor, mvpd: mvpd, login: login, origin: .platform, credential: credential,
            until: assertion.sessionEnd, now: now)
    }

    private static func decoded(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: " ") { bytes[index] = UInt8(ascii: "+") }
        return Base64.decodeTolerantly(bytes.span)
    }

    private func assertion(
        _ response: [UInt8], _ boarding: PlatformBoarding, _ platform: PlatformExchange, now: Timestamp
    ) async throws(EntitlementError) -> PlatformAssertion {
        do {
            return try await platform.assertions.verify(
                response, for: boarding, audience: platform.audience, recipient: platform.recipient, now: now)
        } catch {
            throw EntitlementError(.platformRefused, platformFault: .unproven, detail: error.detail)
        }
    }

    /// An assertion signs in once, on every node.
    private func takeOnce(_ assertion: PlatformAssertion, now: Timestamp) async throws(EntitlementError) {
        guard !assertion.assertionID.isEmpty
        else {
            throw EntitlementError(.platformRefused, platformFault: .unproven, detail: "an assertion without an ID")
        }
        // Both are foreign text of any length; their digest is not.
        let identity = Hex.encode(Digest.sha256("\(assertion.issuer)\n\(assertion.assertionID)".utf8))
        let end = assertion.expires.map { $0 + Self.assertionLeeway + Self.assertionLeeway }
        let isFresh = try await stored(
            await self.store.takeNonce(
                identity, publicKey: "saml-assertion", expires: end ?? now + Self.assertionMemory, now: now))
        guard isFresh else { throw EntitlementError(.platformRefused, platformFault: .replayed) }
    }
}

/// Checks what the provider account of a device's operating system says of its viewer (rest-v1 21). Implemented in
/// Providers.
package protocol PlatformAssertions: Sendable {
    /// Reads a response and checks its signature, times, audience and recipient; whether it was presented before is the
    /// caller's to know.
    /// - Parameter response: decoded XML, of any content and at most ``PlatformBoarding/maximumLength`` bytes.
    /// - Throws: when the response is not acceptable, or the boarding names no issuer.
    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion
}

/// An assertion with its ID, unique for its issuer and taken once; the last moment at which it would be acceptable; and the
/// end of the sign-in at the issuer. Either time is `nil` when the assertion does not say it.
package typealias PlatformAssertion = (
    login: ProviderLogin, assertionID: String, issuer: String, expires: Timestamp?, sessionEnd: Timestamp?
)

/// How this server takes part in platform SSO: who checks, this server's SAML entity ID, which assertions have to be made
/// out to, and the address they are delivered to (rest-v1 13.4).
package typealias PlatformExchange = (assertions: any PlatformAssertions, audience: String, recipient: String)
