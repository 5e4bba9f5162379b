import ClaimsMapping
import Clientless
import Cryptography
import HTTPClient
import Synchronization
import Testing

@testable import Entitlement
@testable import OpenIDConnect
@testable import Providers

/// A provider whose messages a test writes, and this server as its service. What it signs, lasso verifies.
struct WrittenProvider {
    static let entityID = "https://idp.example/saml"
    static let base = "https://tv.example"
    static let consumer = "\(base)/sp/login/CableNova"
    static let start = Timestamp(seconds: 1_767_225_600)
    static let request = "_request-1"
    static let persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"

    /// Made once: a key takes some tenths of a second.
    static let keys = Result { try (0..<3).map { _ in try RSAPrivateKey.generate() } }

    let signature: SAMLKey
    let otherSignature: SAMLKey
    let service: SAMLService

    init() throws {
        let keys = try Self.keys.get()
        func signature(_ key: RSAPrivateKey) throws -> SAMLKey { try SAMLKey(pem: key.pem(), name: "television") }
        self.signature = try signature(keys[0])
        self.otherSignature = try signature(keys[1])
        self.service = SAMLService(
            entityID: "\(Self.base)/sp/metadata/CableNova", consumer: Self.consumer,
            logout: "\(Self.base)/sp/logout/CableNova", soapLogout: "\(Self.base)/sp/logout/CableNova/soap",
            keys: [try SAMLKey(pem: keys[2].pem(), name: "Latchkey")])
    }

    func metadata(
        certificate: String? = nil, validUntil: String? = nil, logoutBindings: [SAMLBinding] = [.redirect],
        signsWith signature: SAMLKey? = nil
    ) throws -> String {
        func endpoint(_ name: String, _ binding: SAMLBinding, _ path: String) -> CanonicalElement {
            CanonicalElement(.md, name, ["Binding": binding.rawValue, "Location": "https://idp.example/\(path)"])
        }
        let data = CanonicalElement(
            .ds, "X509Data",
            [CanonicalElement(.ds, "X509Certificate", text: certificate ?? self.signature.certificate)])
        let key = CanonicalElement(
            .md, "KeyDescriptor", ["use": "signing"], [CanonicalElement(.ds, "KeyInfo", [data])])
        let role = CanonicalElement(
            .md, "IDPSSODescriptor", ["protocolSupportEnumeration": CanonicalElement.Namespace.samlp.rawValue],
            [key] + logoutBindings.map { endpoint("SingleLogoutService", $0, "slo") } + [
                endpoint("SingleSignOnService", .redirect, "sso"), endpoint("SingleSignOnService", .post, "sso-post"),
            ])
        let entity = CanonicalElement(
            .md, "EntityDescriptor", ["ID": "_metadata", "entityID": Self.entityID, "validUntil": validUntil], [role])
        return try signature.map { try $0.signed(entity, at: 0).written } ?? entity.written
    }

    struct Answer {
        var id = "_assertion-1"
        var request: String? = WrittenProvider.request
        var name = "viewer-17"
        var format: String? = WrittenProvider.persistent
        var session: String? = "s1"
        var sessionEnd: String?
        var attributes: [(String, [String])] = [("channels", ["NS-MAIN", "NS-KIDS"]), ("zip", ["10115"])]
        /// How far the provider's clock is off.
        var shift: Duration = .zero
        var audience: String?
        var signsAssertion = true
        /// The signer of the assertion if it is not that of the response.
        var assertionSignature: SAMLKey?
        var signsResponse = false
        var status: [String] = ["Success"]
    }

    func answer(_ answer: Answer = Answer(), signedBy signature: SAMLKey? = nil) throws -> String {
        let signature = signature ?? self.signature
        let now = Self.start + answer.shift
        let times: [String: String?] = [
            "NotBefore": now.timeText, "NotOnOrAfter": (now + .seconds(60)).timeText,
        ]
        let name = CanonicalElement(.saml, "NameID", ["Format": answer.format], text: answer.name)
        let data = CanonicalElement(
            .saml, "SubjectConfirmationData",
            [
                "InResponseTo": answer.request, "NotOnOrAfter": (now + .seconds(60)).timeText,
                "Recipient": Self.consumer,
            ])
        let confirmation = CanonicalElement(
            .saml, "SubjectConfirmation", ["Method": "urn:oasis:names:tc:SAML:2.0:cm:bearer"], [data])
        let restriction = CanonicalElement(
            .saml, "AudienceRestriction",
            [CanonicalElement(.saml, "Audience", text: answer.audience ?? self.service.entityID)])
        let context = CanonicalElement(
            .saml, "AuthnContext", [CanonicalElement(.saml, "AuthnContextClassRef", text: "urn:password")])
        let attributes = answer.attributes.map { name, values in
            CanonicalElement(
                .saml, "Attribute", ["Name": name],
                values.map { CanonicalElement(.saml, "AttributeValue", text: $0) })
        }
        var assertion = CanonicalElement(
            .saml, "Assertion", ["ID": answer.id, "IssueInstant": now.timeText, "Version": "2.0"],
            [
                CanonicalElement(.saml, "Issuer", text: Self.entityID),
                CanonicalElement(.saml, "Subject", [name, confirmation]),
                CanonicalElement(.saml, "Conditions", times, [restriction]),
                CanonicalElement(
                    .saml, "AuthnStatement",
                    [
                        "AuthnInstant": now.timeText, "SessionIndex": answer.session,
                        "SessionNotOnOrAfter": answer.sessionEnd,
                    ], [context]),
                CanonicalElement(.saml, "AttributeStatement", attributes),
            ])
        if answer.signsAssertion { assertion = try (answer.assertionSignature ?? signature).signed(assertion) }
        let codes = answer.status.reversed().reduce(nil as CanonicalElement?) { inner, code in
            CanonicalElement(
                .samlp, "StatusCode", ["Value": "urn:oasis:names:tc:SAML:2.0:status:\(code)"], inner.map { [$0] } ?? [])
        }
        let status = CanonicalElement(.samlp, "Status", codes.map { [$0] } ?? [])
        let isSuccess = answer.status.first == "Success"
        let response = CanonicalElement(
            .samlp, "Response",
            [
                "Destination": Self.consumer, "ID": "_response-\(answer.id)", "InResponseTo": answer.request,
                "IssueInstant": now.timeText, "Version": "2.0",
            ],
            [CanonicalElement(.saml, "Issuer", text: Self.entityID), status] + (isSuccess ? [assertion] : []))
        return answer.signsResponse ? try signature.signed(response).written : response.written
    }

    func logout(
        id: String = "_logout-1", to destination: String?, of name: String = "viewer-17",
        format: String? = WrittenProvider.persistent, sessions: [String] = ["s1"], shift: Duration = .zero
    ) -> CanonicalElement {
        CanonicalElement(
            .samlp, "LogoutRequest",
            [
                "Destination": destination, "ID": id, "IssueInstant": (Self.start + shift).timeText,
                "Version": "2.0",
            ],
            [
                CanonicalElement(.saml, "Issuer", text: Self.entityID),
                CanonicalElement(.saml, "NameID", ["Format": format], text: name),
            ] + sessions.map { CanonicalElement(.samlp, "SessionIndex", text: $0) })
    }

    static func callback(from address: String) throws -> ProviderCallback {
        let query = String(try #require(address.split(separator: "?", maxSplits: 1).last))
        let parameters = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            return NamedText(parts[0], parts[1].removingPercentCoding)
        }
        return try #require(ProviderCallback(.get, parameters, query: query))
    }

    static func form(_ name: String, _ message: String, relayState: String = "r1") throws -> ProviderCallback {
        try #require(
            ProviderCallback(
                .post, [.init(name, Base64.encode(Array(message.utf8))), .init("RelayState", relayState)]))
    }

    func provider(
        _ network: any ProviderTransport, clock: TestNow = TestNow(), lineUp: LineUpSource? = nil,
        rules change: (inout SAMLProvider.Rules) -> Void = { _ in },
        settings: (inout SAMLClient.Settings) -> Void = { _ in }
    ) throws -> SAMLProvider {
        var rules = SAMLProvider.Rules(
            lineUp: lineUp ?? .said(["channels"]),
            mapping: try MetadataMapping([MappingRule(key: "zip", source: .path(["zip"]), shape: .list)]))
        change(&rules)
        return SAMLProvider(self.client(network, clock: clock, settings: settings), rules)
    }

    func client(
        _ network: any ProviderTransport, clock: TestNow = TestNow(),
        settings change: (inout SAMLClient.Settings) -> Void = { _ in }
    ) -> SAMLClient {
        let address = EndpointAddress("https://idp.example/metadata", policy: .secure)
        precondition(address != nil, "the address is one")
        var settings = SAMLClient.Settings(
            service: self.service, source: address.map { .address($0) } ?? .document([]))
        change(&settings)
        return SAMLClient(settings, exchange: network, clocks: clock.clocks)
    }

    static let context = ProviderLoginContext(
        mvpd: MVPDID("CableNova")!, requestor: RequestorID("NORTHSPORT")!, callback: consumer, reference: "r1")

    /// What a provider that asked with ``request`` makes of an answer.
    static func complete(
        _ provider: SAMLProvider, _ answer: String, now: Timestamp = start + .seconds(5)
    ) async throws -> ProviderVerdict {
        try await provider.complete(
            context, with: .callback(try form("SAMLResponse", answer)),
            state: try ProviderState(Array(request.utf8)), now: now)
    }

    static func refusal(
        of answer: String, by provider: SAMLProvider, now: Timestamp = start + .seconds(5)
    ) async throws -> ProviderError {
        do {
            _ = try await self.complete(provider, answer, now: now)
        } catch let error as ProviderError {
            return error
        }
        throw GaveUp(description: "the answer was taken")
    }
}

struct GaveUp: Error, CustomStringConvertible {
    let description: String
}

final class TestNow: Sendable {
    private let state = Mutex(Duration.zero)

    func advance(by duration: Duration) { self.state.withLock { $0 += duration } }

    var now: Timestamp { WrittenProvider.start + self.state.withLock { $0 } }

    var clocks: SAMLClient.Clocks { (now: { self.now }, steady: { self.state.withLock { $0 } }) }
}

/// Answers what a test says, and keeps what was asked.
final class ScriptedNetwork: ProviderTransport {
    private let answer: Mutex<Result<HTTPClient.Response, HTTPClientError>>
    private let asked = Mutex<[HTTPClient.Request]>([])

    init(_ text: String) { self.answer = Mutex(.success(HTTPClient.Response(status: 200, body: Array(text.utf8)))) }

    var requests: [HTTPClient.Request] { self.asked.withLock { $0 } }

    func answer(_ text: String) {
        self.answer.withLock { $0 = .success(HTTPClient.Response(status: 200, body: Array(text.utf8))) }
    }

    func fail(_ error: HTTPClientError) { self.answer.withLock { $0 = .failure(error) } }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        self.asked.withLock { $0.append(request) }
        return try self.answer.withLock { $0 }.get()
    }
}

extension String {
    var removingPercentCoding: String {
        var bytes: [UInt8] = []
        var rest = Array(self.utf8)[...]
        while let first = rest.first {
            if first == UInt8(ascii: "%"), rest.count >= 3, let high = Hex.value(of: rest[rest.startIndex + 1]),
                let low = Hex.value(of: rest[rest.startIndex + 2])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
