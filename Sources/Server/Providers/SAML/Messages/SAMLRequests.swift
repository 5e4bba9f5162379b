import Clientless
import Cryptography

/// Messages that this server sends. Each has a new ID, which no one can guess (SAML 2.0 Core 1.3.4).
struct SAMLRequests {
    let issuer: String
    let now: Timestamp

    static func newID() -> String { "_\(Hex.encode(SecureRandom.bytes(20)))" }

    /// SAML 2.0 Core 3.4.1.
    func signIn(
        id: String, to destination: String, consumer: String, isPassive: Bool = false, isForced: Bool = false,
        nameFormat: String? = nil
    ) -> CanonicalElement {
        let policy = CanonicalElement(.samlp, "NameIDPolicy", ["AllowCreate": "true", "Format": nameFormat])
        return self.message(
            "AuthnRequest", id: id, to: destination,
            [
                "AssertionConsumerServiceURL": consumer, "ProtocolBinding": SAMLBinding.post.rawValue,
                "IsPassive": isPassive ? "true" : nil, "ForceAuthn": isForced ? "true" : nil,
            ], [policy])
    }

    /// SAML 2.0 Core 3.7.1.
    func logout(
        id: String, to destination: String, of name: SAMLViewerName, session: String?, until: Timestamp
    ) -> CanonicalElement {
        let nameElement = CanonicalElement(
            .saml, "NameID",
            [
                "Format": name.format, "NameQualifier": name.qualifier, "SPNameQualifier": name.serviceQualifier,
            ], text: name.text)
        let index = session.map { CanonicalElement(.samlp, "SessionIndex", text: $0) }
        return self.message(
            "LogoutRequest", id: id, to: destination, ["NotOnOrAfter": until.timeText],
            [nameElement] + (index.map { [$0] } ?? []))
    }

    /// Says whether a logout went well (SAML 2.0 Core 3.7.2).
    func logoutDone(_ isWhole: Bool, answering request: String, to destination: String?) -> CanonicalElement {
        let status = "urn:oasis:names:tc:SAML:2.0:status:\(isWhole ? "Success" : "Responder")"
        let code = CanonicalElement(.samlp, "StatusCode", ["Value": status])
        return self.message(
            "LogoutResponse", id: Self.newID(), to: destination, ["InResponseTo": request],
            [CanonicalElement(.samlp, "Status", [code])])
    }

    func message(
        _ name: String, of namespace: CanonicalElement.Namespace = .samlp, id: String, to destination: String?,
        _ attributes: [String: String?], _ children: [CanonicalElement]
    ) -> CanonicalElement {
        let common: [String: String?] = [
            "Destination": destination, "ID": id, "IssueInstant": self.now.timeText, "Version": "2.0",
        ]
        return CanonicalElement(
            namespace, name, common.merging(attributes) { $1 },
            [CanonicalElement(.saml, "Issuer", text: self.issuer)] + children)
    }
}

extension CanonicalElement {
    /// The message in an envelope (SOAP 1.1).
    var inEnvelope: CanonicalElement {
        CanonicalElement(.soap, "Envelope", [CanonicalElement(.soap, "Body", [self])])
    }
}
