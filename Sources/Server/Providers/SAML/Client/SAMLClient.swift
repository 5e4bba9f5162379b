import Clientless
import HTTPClient
package import OpenIDConnect
import Synchronization

/// This server as a service provider of one identity provider with SAML 2.0. It keeps the provider's metadata, and nothing
/// of any viewer. Messages of strangers wait in a queue of its own: no other provider waits with it.
package final class SAMLClient: Sendable {
    package typealias Clocks = OpenIDConnectClient.Clocks

    package enum MetadataSource: Sendable {
        case document([UInt8])
        case address(EndpointAddress)
    }

    package struct Settings: Sendable {
        package let service: SAMLService
        package let source: MetadataSource
        package var metadataRules = IdentityProviderMetadata.Rules()
        /// How requests travel; `nil` for a redirect if the provider takes one.
        package var requestBinding: SAMLBinding?
        /// Whether the provider asks viewers for their password although they are signed in there.
        package var forcesSignIn = false
        /// How the provider names viewers; `nil` leaves it the choice.
        package var nameFormat: String?
        /// Whether an assertion without a signature of its own is taken in a signed response.
        package var takesSignedResponses = false
        package var acceptsSHA1 = false
        package var time: Duration = .seconds(5)

        package init(service: SAMLService, source: MetadataSource) {
            self.service = service
            self.source = source
        }
    }

    /// The provider's metadata, and what verifies with its keys.
    struct Known: Sendable {
        let metadata: IdentityProviderMetadata
        let issuer: TrustedIssuer
    }

    package let settings: Settings
    let exchange: any ProviderTransport
    let clocks: Clocks
    let queue = AssertionQueue()
    /// For what no viewer waits for, and anyone may send.
    let notices = AssertionQueue(maximumWaiting: 8)
    /// The published metadata of this server, signed once.
    private let publication = Mutex<String?>(nil)
    let document: CachedDocument<Known, AssertionFault>
    /// Whether the last request for a logout failed that this server sent itself: browsers end sessions then, where the
    /// provider takes that.
    let failsToLogOut = Mutex(false)

    package init(_ settings: Settings, exchange: any ProviderTransport, clocks: Clocks) {
        self.settings = settings
        self.exchange = exchange
        self.clocks = clocks
        let queue = self.queue
        self.document = CachedDocument(
            cancelled: .metadataExchange(HTTPClientError(.cancelled)), now: clocks.steady
        ) { () throws(AssertionFault) in
            let bytes =
                switch settings.source {
                case .document(let bytes): bytes
                case .address(let address): try await Self.fetch(address, settings, exchange).body
                }
            return try await queue.perform { () throws(AssertionFault) in
                try Self.read(bytes, settings, now: clocks.now())
            }
        }
    }

    /// - Throws: why there are no metadata, or none that count now.
    package func metadata() async throws(AssertionFault) -> IdentityProviderMetadata {
        try await self.known().value.metadata
    }

    /// The metadata of this server for the provider. The same for as long as the keys are: anyone may ask for it.
    func published() throws(AssertionFault) -> String {
        if let text = self.publication.withLock({ $0 }) { return text }
        let text = try self.settings.service.metadata(
            wantsSignedAssertions: !self.settings.takesSignedResponses, nameFormat: self.settings.nameFormat)
        self.publication.withLock { $0 = text }
        return text
    }

    package static var leeway: Duration { AssertionRules.leeway }

    /// Asks for the metadata anew.
    /// - Returns: how far the provider's clock is before this one; `nil` when the provider does not say.
    package func clockDifference() async throws(AssertionFault) -> Duration? {
        guard case .address(let address) = self.settings.source else { return nil }
        return try await Self.fetch(address, self.settings, self.exchange).date.map {
            Timestamp(seconds: $0) - self.clocks.now()
        }
    }

    /// A service calls this now and then, so that viewers do not wait for it.
    package func refreshDocuments() async throws(AssertionFault) { _ = try await self.known() }

    func known() async throws(AssertionFault) -> CachedDocument<Known, AssertionFault>.Current {
        let current = try await self.document.current()
        try current.value.metadata.requireValidity(at: self.clocks.now())
        return current
    }

    /// Does what needs the provider's keys, away from the threads that serve requests; once more with fresh keys where
    /// the signature is not theirs, which means that they were exchanged, or that it is forged.
    func verifying<Value: Sendable>(
        in queue: AssertionQueue, _ body: @escaping @Sendable (Known) throws(AssertionFault) -> Value
    ) async throws(AssertionFault) -> Value {
        let current = try await self.known()
        do throws(AssertionFault) {
            return try await queue.perform { () throws(AssertionFault) in try body(current.value) }
        } catch {
            guard error.mayBeOfOtherKeys, case .address = self.settings.source,
                let newer = try await self.document.newer(than: current.version)
            else { throw error }
            try newer.value.metadata.requireValidity(at: self.clocks.now())
            return try await queue.perform { () throws(AssertionFault) in try body(newer.value) }
        }
    }

    private static func fetch(
        _ address: EndpointAddress, _ settings: Settings, _ exchange: any ProviderTransport
    ) async throws(AssertionFault) -> HTTPClient.Response {
        let request = HTTPClient.Request(
            .get, address.text, headers: ["Accept": "application/samlmetadata+xml, text/xml, */*"],
            limit: SAMLText.maximumMetadataSize, time: settings.time)
        let answer = try await exchange.send(request) { AssertionFault.metadataExchange($0) }
        guard answer.status == 200 else { throw .metadataStatus(answer.status) }
        return answer
    }

    private static func read(
        _ bytes: [UInt8], _ settings: Settings, now: Timestamp
    ) throws(AssertionFault) -> CachedDocument<Known, AssertionFault>.Fetched {
        let metadata = try IdentityProviderMetadata(reading: bytes, settings.metadataRules)
        try metadata.requireValidity(at: now)
        let service = settings.service
        let issuer = try TrustedIssuer(
            metadata.issuer, audience: service.entityID, recipient: service.consumer,
            privateKeys: service.keys.map(\.pem))
        var life = metadata.life
        if let end = metadata.validUntil { life = min(life ?? CacheLife.usual, end - now) }
        return (Known(metadata: metadata, issuer: issuer), life)
    }
}

extension AssertionFault: DocumentFault {
    package var isCancellation: Bool { self == .metadataExchange(HTTPClientError(.cancelled)) }
}
