import ClaimsMapping
import Clientless
import Cryptography
import Entitlement
import OpenIDConnect
import POSIX

@testable import Providers

extension FuzzTarget {
    /// The shape of a SAML response, before any signature is looked at.
    static let samlResponse = FuzzTarget("saml-response") { input in
        guard let text = try? SAMLText(input, maximumSize: PlatformBoarding.maximumLength),
            let document = try? SAMLDocument(text)
        else { return }
        let element = document.root
        _ = try? ResponseShape(element, rules: SignatureRules(acceptsSHA1: false))
        try? ResponseShape.requireSuccess(element)
        try? ResponseShape.check(decrypted: element)
        guard (try? SAMLDocument.requireKnownElements(in: element)) != nil,
            let written = try? SAMLText(Array(document.written.text.utf8), maximumSize: .max),
            let read = try? XMLDocumentHandle.parse(written).root(comments: .refused)
        else { return }
        precondition(read == element, "the library reads what our reader read")
    }
}

extension FuzzTarget {
    /// What a provider publishes of itself, alone or among others.
    static let samlMetadata = FuzzTarget("saml-metadata") { input in
        var rules = IdentityProviderMetadata.Rules()
        for entity in [nil, "https://idp.example/saml"] {
            rules.entityID = entity
            guard let metadata = try? IdentityProviderMetadata(reading: input, rules) else { continue }
            precondition(!metadata.signIn.isEmpty && !metadata.keys.isEmpty, "viewers can be sent there, and believed")
            precondition(
                (metadata.signIn + metadata.logout).allSatisfy { $0.address.text.hasPrefix("https://") },
                "no address is in clear")
        }
    }

    /// A message of a logout: as DEFLATE, as a document, in an envelope; and the query it came with.
    static let samlLogout = FuzzTarget("saml-logout") { input in
        let parts = parts(input, 2)
        if let inflated = try? LassoLibrary.inflated(parts[0], limit: SAMLDocument.maximumLogoutSize) {
            precondition(inflated.count <= SAMLDocument.maximumLogoutSize, "what unfolds is bounded")
        }
        precondition((try? SAMLRedirect.verify(text(parts[0]), "SAMLRequest", by: [])) == nil, "no key, no signature")
        _ = SourceAttributes.unverified(in: input)
        guard let text = try? SAMLText(input, maximumSize: SAMLDocument.maximumLogoutSize),
            let root = try? SAMLDocument(text).root,
            (try? SAMLDocument.requireKnownElements(in: root, of: SAMLDocument.knownInLogouts)) != nil
        else { return }
        let now = Timestamp(seconds: 1_767_225_600)
        let rules = SAMLLogoutRules(
            issuer: "https://idp.example/saml", destination: "https://tv.example/sp/logout/CableNova", now: now)
        for message in [root, (try? SAMLLogoutRules.content(of: root)) ?? root] {
            _ = SAMLStatus(of: message)
            guard let request = try? rules.check(message) else { continue }
            precondition(now < request.acceptableUntil, "what is over does not count")
            precondition(request.sessions.count <= SAMLLogoutRequest.maximumSessions, "sessions are bounded")
        }
    }
}

extension FuzzTarget {
    /// A provider with two keys, each of which the library tries.
    private static let issuer = Result {
        let keys = try (0..<2).map { _ in try RSAPrivateKey.generate().publicKey }
        return try TrustedIssuer(
            IssuerMetadata(entityID: "https://idp.example/saml", keys: keys), audience: "https://tv.example/sp",
            recipient: "https://tv.example/sp/login", privateKeys: [])
    }

    /// A short notice, which the library digests for each key as well.
    private static let shortNotice = """
        <N ID="x"><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod \
        Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><SignatureMethod \
        Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><Reference URI="#x"><DigestMethod \
        Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>AAAA</DigestValue></Reference></SignedInfo>\
        <SignatureValue>AAAA</SignatureValue></Signature></N>
        """

    /// The processor's time that it takes to find that a stranger's notice is not signed: at most ten times that of a
    /// short one, measured in turn on the same machine. The costliest known takes four to seven times as long.
    static let samlWork = FuzzTarget("saml-work") { input in
        guard case .success(let trusted) = issuer else { preconditionFailure("lasso is installed") }
        guard let document = try? SAMLDocument(logout: input),
            (try? SignatureRules(acceptsSHA1: false).isSigned(document.root)) == true
        else { return }
        func time(_ notice: String) -> Duration {
            let start = ThisProcess.processorTime
            precondition((try? trusted.verify(document: notice)) == nil, "no one signed it")
            return ThisProcess.processorTime - start
        }
        func median() -> Double { (0..<5).map { _ in time(document.written.text) / time(shortNotice) }.sorted()[2] }
        precondition((0..<3).contains { _ in median() <= 10 }, "no notice costs more than ten short ones")
    }
}
