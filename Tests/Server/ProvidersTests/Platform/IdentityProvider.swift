import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Providers

/// A real identity provider: lasso's, driven from Python in a process of its own, with keys that `openssl` made.
///
/// It answers once for the whole run, as making keys takes a second.
struct IdentityProvider {
    /// What is special about a response; `identity_provider.py` knows what each word means.
    struct Scenario: Encodable {
        var nameID: String? = "viewer-17"
        var notBefore = "2026-01-01T00:00:00Z"
        var notOnOrAfter = "2026-01-01T00:05:00Z"
        var confirmedUntil: String?
        var sessionIndex: String?
        var sessionNotOnOrAfter: String?
        var attributes: [String: [String]] = [:]
        var audience: String?
        var recipient: String?
        var issuer: String?
        var unrestricted = false
        var signAssertion = true
        var signResponse = false
        var encrypt = false
        var encryptName = false
        var hidesOther = false
        var strangeValue: String?
        var sha1 = false
        var denied = false
        var key: String?
        var certificate: String?
    }

    struct Failure: Error {
        let detail: String
    }

    static let shared = Result { try IdentityProvider() }

    static let issuer = "https://idp.provider.example/saml"
    static let audience = "https://sp.latchkey.example/saml"
    static let recipient = "https://sp.latchkey.example/sp/saml/SAMLAssertionConsumer"
    static let start = Timestamp(seconds: 1_767_225_600)

    static let scenarios: [String: Scenario] = [
        "good": Scenario(
            sessionIndex: "_session-1", sessionNotOnOrAfter: "2026-01-31T00:00:00Z",
            attributes: [
                "urn:provider:attributes:householdID": ["H-3456"], "MaxTVRating": ["TV-14"],
                "https://provider.example/MaxMovieRating": ["PG-13"], "zip": ["12345", "67890"],
                "channelID": ["north-1", "north-2", ""], "hba_status": ["TRUE"], "onNet": ["0"],
                "shoeSize": ["44"], "mvpd": ["Other"], "upstreamUserID": ["someone"], "language": [""],
            ]),
        "plain": Scenario(),
        "whole": Scenario(signAssertion: false, signResponse: true),
        "both": Scenario(signResponse: true),
        "encrypted": Scenario(encrypt: true),
        "encryptedWhole": Scenario(signAssertion: false, signResponse: true, encrypt: true),
        "strange": Scenario(attributes: ["zip": ["1"]], strangeValue: "<x xmlns=\"urn:x\"/>"),
        "encryptedStrange": Scenario(attributes: ["zip": ["1"]], encrypt: true, strangeValue: "<x xmlns=\"urn:x\"/>"),
        "encryptedBomb": Scenario(
            attributes: ["zip": ["1"]], encrypt: true,
            strangeValue: "<x xmlns=\"urn:x\"\((0..<70).map { " xmlns:a\($0)=\"u:x\"" }.joined())/>"),
        "encryptedTwice": Scenario(
            attributes: ["zip": ["1"]], encrypt: true,
            strangeValue: "<CipherData xmlns=\"http://www.w3.org/2001/04/xmlenc#\"/>"),
        "encryptedMany": Scenario(
            attributes: ["zip": ["1"]], encrypt: true,
            strangeValue: "<x xmlns=\"urn:x\">\(String(repeating: "<x/>", count: 512))</x>", key: "other.key",
            certificate: "other.crt"),
        "encryptedLong": Scenario(attributes: ["zip": [String(repeating: "1", count: 24_000)]], encrypt: true),
        "encryptedForeign": Scenario(encrypt: true, key: "other.key", certificate: "other.crt"),
        "encryptedStrangeForeign": Scenario(
            attributes: ["zip": ["1"]], encrypt: true, strangeValue: "<x xmlns=\"urn:x\"/>", key: "other.key",
            certificate: "other.crt"),
        "encryptedUnsigned": Scenario(signAssertion: false, encrypt: true),
        "encryptedName": Scenario(encryptName: true),
        "encryptedNameWhole": Scenario(signAssertion: false, signResponse: true, encryptName: true),
        "encryptedNameUnsigned": Scenario(signAssertion: false, encryptName: true),
        "encryptedNameInside": Scenario(encrypt: true, encryptName: true),
        "encryptedOther": Scenario(encryptName: true, hidesOther: true),
        "unsigned": Scenario(signAssertion: false),
        "otherSigner": Scenario(key: "other.key", certificate: "other.crt"),
        "sha1": Scenario(sha1: true),
        "otherAudience": Scenario(audience: "https://other.example/saml"),
        "unrestricted": Scenario(unrestricted: true),
        "otherRecipient": Scenario(recipient: "https://other.example/acs"),
        "otherIssuer": Scenario(issuer: "https://other.example/saml"),
        "confirmedShortly": Scenario(confirmedUntil: "2026-01-01T00:01:00Z"),
        "shortSession": Scenario(sessionNotOnOrAfter: "2026-01-01T00:00:30Z"),
        "strangeTime": Scenario(sessionNotOnOrAfter: "tomorrow"),
        "nobody": Scenario(nameID: nil),
        "namelessName": Scenario(nameID: ""),
        "denied": Scenario(denied: true),
    ]

    let metadata: String
    /// The key its encrypted assertions can be read with.
    let privateKey: Secret
    let otherPrivateKey: Secret
    let unfitKeys: [String: Secret]
    private let responses: [String: String]

    init() throws {
        let folder = try TemporaryFolder()
        for name in ["idp", "sp", "other"] {
            let files = "-keyout \(name).key -out \(name).crt"
            try Self.run("openssl req -x509 -newkey rsa:2048 -nodes \(files) -subj /CN=\(name) -days 2", in: folder)
        }
        try Self.run("openssl ecparam -genkey -name prime256v1 -noout -out ec.key", in: folder)
        try Self.run("openssl rsa -in sp.key -aes128 -passout pass:word -out locked.key", in: folder)
        let scenarios = String(decoding: try JSONEncoder().encode(Self.scenarios), as: UTF8.self)
        try folder.write(scenarios, to: "scenarios.json")
        try folder.write(
            String(decoding: PackageResources.identity_provider_py, as: UTF8.self), to: "identity_provider.py")
        // Debian's own Python, for which python3-lasso is made.
        try Self.run("/usr/bin/python3 identity_provider.py .", in: folder)
        self.metadata = try folder.read("idp.xml")
        self.privateKey = Secret(try folder.read("sp.key"))
        self.otherPrivateKey = Secret(try folder.read("other.key"))
        self.unfitKeys = [
            "elliptic": Secret(try folder.read("ec.key")), "locked": Secret(try folder.read("locked.key")),
            "a certificate": Secret(try folder.read("sp.crt")), "nothing": Secret(""),
        ]
        self.responses = try Dictionary(
            uniqueKeysWithValues: Self.scenarios.keys.map { ($0, try folder.read("\($0).xml")) })
    }

    private static func run(_ command: String, in folder: TemporaryFolder) throws {
        guard unsafe system("cd '\(folder.path)' && \(command) </dev/null >talk 2>&1") == 0 else {
            throw Failure(detail: "\(command): \(try folder.read("talk"))")
        }
    }

    func response(_ name: String) throws -> String { try #require(self.responses[name]) }

    var boarding: PlatformBoarding { Self.boarding(metadata: self.metadata) }

    static func boarding(metadata: String?) -> PlatformBoarding {
        PlatformBoarding(
            isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "provider",
            issuerMetadata: metadata)
    }

    /// Verifies a response as the server would, one minute after ``start`` unless told otherwise.
    func verify(
        _ response: String, by assertions: LassoPlatformAssertions? = nil, after: Duration = .seconds(60)
    ) async throws -> PlatformAssertion {
        try await self.verify(Array(response.utf8), by: assertions, after: after)
    }

    func verify(
        _ response: [UInt8], by assertions: LassoPlatformAssertions? = nil, after: Duration = .seconds(60)
    ) async throws -> PlatformAssertion {
        let assertions = try assertions ?? LassoPlatformAssertions(privateKey: self.privateKey)
        return try await assertions.verify(
            response, for: self.boarding, audience: Self.audience, recipient: Self.recipient, now: Self.start + after)
    }

    func refusal(
        of response: String, by assertions: LassoPlatformAssertions? = nil, after: Duration = .seconds(60)
    ) async throws -> String? {
        do {
            _ = try await self.verify(response, by: assertions, after: after)
            return nil
        } catch let error as ProviderError {
            return error.detail
        }
    }
}

extension String {
    /// The text from `start` to `end`, with both.
    func piece(_ start: String, _ end: String) throws -> String {
        let first = try #require(self.firstRange(of: start)).lowerBound
        return String(self[first..<(try #require(self.firstRange(of: end)).upperBound)])
    }
}

extension AssertionFault {
    /// How ``IdentityProvider/refusal(of:by:after:)`` tells it.
    var detail: String { self.providerError.detail }
}
