package import Clientless
import Cryptography
import HTTPClient
import TextCoding

/// This server as a client of one OpenID provider. It keeps the provider's metadata and keys, and nothing of any viewer.
package final class OpenIDConnectClient: Sendable {
    /// The clocks that a client of a provider goes by: the time of day, for what tokens and metadata say, and a clock that
    /// never jumps, for what is kept.
    package typealias Clocks = (now: @Sendable () -> Timestamp, steady: @Sendable () -> Duration)

    /// The settings that a client does not learn from the provider.
    package struct Settings: Sendable {
        package let issuer: Issuer
        package let clientID: String
        package let authentication: ClientAuthentication
        /// `openid` is always among them.
        package let scopes: [String]
        package var readsUserInfo = true
        package var pushesRequests = true
        /// The address that the browser comes back to from a logout; registered at the provider.
        package var logoutRedirectAddress: String?
        package var policy: EndpointAddress.Policy = .secure
        /// The provider's description of itself.
        package var metadataAddress: String
        package var time: Duration = .seconds(5)

        package init(
            issuer: Issuer, clientID: String, authentication: ClientAuthentication, scopes: [String] = ["openid"]
        ) {
            self.issuer = issuer
            self.clientID = clientID
            self.authentication = authentication
            self.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
            self.metadataAddress = issuer.metadataAddress
        }
    }

    package let settings: Settings
    let exchange: any ProviderTransport
    let clocks: Clocks
    let metadataDocument: CachedDocument<ProviderMetadata, OpenIDConnectFault>
    let keyDocument: CachedDocument<KeySet, OpenIDConnectFault>

    package init(_ settings: Settings, exchange: any ProviderTransport, clocks: Clocks) {
        self.settings = settings
        self.exchange = exchange
        self.clocks = clocks
        let metadataDocument = CachedDocument(
            cancelled: OpenIDConnectFault(.discovery, .exchange(HTTPClientError(.cancelled))),
            now: clocks.steady
        ) { () throws(OpenIDConnectFault) in
            let answer = try await Self.fetch(
                settings.metadataAddress, limit: ProviderMetadata.maximumSize, .discovery, settings.time, exchange)
            let metadata = try ProviderMetadata(reading: answer.body, issuer: settings.issuer, policy: settings.policy)
            return (metadata, CacheLife.read(answer.headers["cache-control"]))
        }
        self.metadataDocument = metadataDocument
        self.keyDocument = CachedDocument(
            cancelled: OpenIDConnectFault(.keys, .exchange(HTTPClientError(.cancelled))),
            now: clocks.steady
        ) { () throws(OpenIDConnectFault) in
            let address = try await metadataDocument.current().value.keysAddress
            let answer = try await Self.fetch(address.text, limit: KeySet.maximumSize, .keys, settings.time, exchange)
            guard let keys = KeySet(answer.body) else { throw OpenIDConnectFault(.keys, .unreadable) }
            return (keys, CacheLife.read(answer.headers["cache-control"]))
        }
    }

    private static func fetch(
        _ address: String, limit: Int, _ step: OpenIDConnectFault.Step, _ time: Duration,
        _ exchange: any ProviderTransport
    ) async throws(OpenIDConnectFault) -> HTTPClient.Response {
        let request = HTTPClient.Request(
            .get, address, headers: ["Accept": "application/json"], limit: limit, time: time)
        let answer = try await exchange.send(request) { OpenIDConnectFault(step, .exchange($0)) }
        guard answer.status == 200 else { throw OpenIDConnectFault(step, .status(answer.status)) }
        return answer
    }

    package func metadata() async throws(OpenIDConnectFault) -> ProviderMetadata {
        try await self.metadataDocument.current().value
    }

    /// How many of the provider's keys can be used here.
    package func keyCount() async throws(OpenIDConnectFault) -> Int {
        try await self.keyDocument.current().value.keys.count
    }

    /// Asks for the metadata anew.
    /// - Returns: how far the provider's clock is before this one; `nil` when the provider does not say.
    package func clockDifference() async throws(OpenIDConnectFault) -> Duration? {
        let request = HTTPClient.Request(
            .get, self.settings.metadataAddress, limit: ProviderMetadata.maximumSize, time: self.settings.time)
        let answer = try await self.send(request, .discovery)
        return answer.date.map { Timestamp(seconds: $0) - self.clocks.now() }
    }

    /// Fetches metadata and keys where they are old or missing. A service calls this now and then, so that viewers do not
    /// wait for it.
    package func refreshDocuments() async throws(OpenIDConnectFault) {
        _ = try await self.metadataDocument.current()
        _ = try await self.keyDocument.current()
    }

    package var idTokenRules: IDTokenRules {
        IDTokenRules(issuer: self.settings.issuer, clientID: self.settings.clientID)
    }

    /// Verifies a token with the provider's keys; if they do not know it, once more with fresh ones.
    func verify(
        _ text: String, algorithms: Set<SignatureAlgorithm>, _ step: OpenIDConnectFault.Step
    ) async throws(OpenIDConnectFault) -> (token: SignedToken, claims: JSONValue) {
        let token = try step.checked { () throws(TokenFault) in try SignedToken(text, algorithms: algorithms) }
        let keys = try await self.keyDocument.current()
        do throws(TokenFault) {
            return (token, try token.claims(verifiedBy: keys.value))
        } catch {
            // A key was rotated: its ID is new, or, where keys have none, it no longer matches.
            guard error == .unknownKey || (error == .signature && token.keyID == nil),
                let newer = try await self.keyDocument.newer(than: keys.version)
            else { throw OpenIDConnectFault(step, .token(error)) }
            return (token, try step.checked { () throws(TokenFault) in try token.claims(verifiedBy: newer.value) })
        }
    }

    func post(
        _ parameters: [(String, String)], to address: EndpointAddress, of metadata: ProviderMetadata, limit: Int,
        _ step: OpenIDConnectFault.Step
    ) async throws(OpenIDConnectFault) -> HTTPClient.Response {
        let proven: (parameters: [(String, String)], authorization: String?)
        do throws(CryptographyError) {
            proven = try self.settings.authentication.apply(
                to: parameters, clientID: self.settings.clientID,
                audience: metadata.tokenEndpoint.text, now: self.clocks.now())
        } catch {
            throw OpenIDConnectFault(step, .unsupported("the client's private key"))
        }
        var headers: HTTPClient.Headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        headers["Authorization"] = proven.authorization
        var request = HTTPClient.Request(
            .post, address.text, headers: headers, body: Array(PercentCoding.form(proven.parameters).utf8),
            limit: limit, time: self.settings.time)
        request.runsToItsEnd = step == .refresh
        return try await self.send(request, step)
    }

    func send(
        _ request: HTTPClient.Request, _ step: OpenIDConnectFault.Step
    ) async throws(OpenIDConnectFault) -> HTTPClient.Response {
        try await self.exchange.send(request) { OpenIDConnectFault(step, .exchange($0)) }
    }
}
