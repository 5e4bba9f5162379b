import Clientless

/// The metadata of a provider (OpenID Connect Discovery 3, RFC 8414 2), as far as it is used here.
package struct ProviderMetadata: Hashable, Sendable {
    /// The largest document that is read.
    package static let maximumSize = 64 << 10
    package let issuer: Issuer
    package let authorizationEndpoint: EndpointAddress
    package let tokenEndpoint: EndpointAddress
    package let keysAddress: EndpointAddress
    package let userInfoEndpoint: EndpointAddress?
    package let endSessionEndpoint: EndpointAddress?
    package let pushedAuthorizationEndpoint: EndpointAddress?
    /// The endpoint at which a client gives tokens back (RFC 7009).
    package let revocationEndpoint: EndpointAddress?
    /// Whether the provider takes no other requests than pushed ones (RFC 9126 5).
    package let requiresPushedAuthorization: Bool
    /// Whether its answers name it (RFC 9207 3).
    package let namesItselfInAnswers: Bool
    /// The algorithms it signs ID tokens with, of those that are verified here.
    package let idTokenAlgorithms: Set<SignatureAlgorithm>
    package let userInfoAlgorithms: Set<SignatureAlgorithm>
    /// How clients may authenticate, of the ways that are known here.
    package let authenticationMethods: Set<ClientAuthentication.Method>
    /// `nil` if it does not say; RFC 8414 then leaves open whether it knows PKCE.
    package let codeChallengeMethods: [String]?
    package let sendsBackChannelLogout: Bool

    /// - Parameter issuer: whose document was asked for; it must name the same (OpenID Connect Discovery 4.3).
    /// - Throws: `unreadable`; `field` with the name of the first member that is missing or unfit; `otherIssuer` for the
    ///   document of another issuer; `unsupported`.
    package init(reading bytes: [UInt8], issuer: Issuer, policy: EndpointAddress.Policy) throws(OpenIDConnectFault) {
        guard let document = ForeignJSON.object(bytes, limit: Self.maximumSize)
        else { throw OpenIDConnectFault(.discovery, .unreadable) }
        let fields = MetadataFields(document: document, policy: policy)
        guard let named = document["issuer"]?.string else { throw OpenIDConnectFault(.discovery, .field("issuer")) }
        guard issuer.isNamed(by: named) else {
            throw OpenIDConnectFault(.discovery, .otherIssuer(named: String(named.prefix(200)), expected: issuer.text))
        }
        self.issuer = issuer
        self.authorizationEndpoint = try fields.address("authorization_endpoint")
        self.tokenEndpoint = try fields.address("token_endpoint")
        self.keysAddress = try fields.address("jwks_uri")
        self.userInfoEndpoint = try fields.optionalAddress("userinfo_endpoint")
        self.endSessionEndpoint = try fields.optionalAddress("end_session_endpoint")
        self.pushedAuthorizationEndpoint = try fields.optionalAddress("pushed_authorization_request_endpoint")
        self.revocationEndpoint = try fields.optionalAddress("revocation_endpoint")
        self.requiresPushedAuthorization = try fields.flag("require_pushed_authorization_requests")
        self.namesItselfInAnswers = try fields.flag("authorization_response_iss_parameter_supported")
        self.sendsBackChannelLogout = try fields.flag("backchannel_logout_supported")
        // RS256 is what OpenID Connect asks of each provider; some leave the list out.
        self.idTokenAlgorithms = try fields.words("id_token_signing_alg_values_supported", otherwise: ["RS256"])
        self.userInfoAlgorithms = try fields.words("userinfo_signing_alg_values_supported", otherwise: [])
        // OpenID Connect Discovery 3: "If omitted, the default is client_secret_basic".
        self.authenticationMethods = try fields.words(
            "token_endpoint_auth_methods_supported", otherwise: ["client_secret_basic"])
        self.codeChallengeMethods = try fields.list("code_challenge_methods_supported")
        if let types = try fields.list("response_types_supported"), !types.contains("code") {
            throw OpenIDConnectFault(.discovery, .unsupported("response_type=code"))
        }
        if let methods = self.codeChallengeMethods, !methods.contains("S256") {
            throw OpenIDConnectFault(.discovery, .unsupported("code_challenge_method=S256"))
        }
        guard !self.requiresPushedAuthorization || self.pushedAuthorizationEndpoint != nil
        else { throw OpenIDConnectFault(.discovery, .field("pushed_authorization_request_endpoint")) }
    }

    /// The algorithms that an ID token or a logout token may have: those that the provider announces.
    /// - Throws: `unsupported` when there is none.
    func tokenAlgorithms() throws(OpenIDConnectFault) -> Set<SignatureAlgorithm> {
        guard !self.idTokenAlgorithms.isEmpty else {
            throw OpenIDConnectFault(.discovery, .unsupported("a signature algorithm of ID tokens that is known here"))
        }
        return self.idTokenAlgorithms
    }
}

/// The members of a metadata document, each checked when it is asked for.
private struct MetadataFields {
    let document: JSONValue
    let policy: EndpointAddress.Policy

    func address(_ name: String) throws(OpenIDConnectFault) -> EndpointAddress {
        guard let address = try self.optionalAddress(name) else { throw OpenIDConnectFault(.discovery, .field(name)) }
        return address
    }

    func optionalAddress(_ name: String) throws(OpenIDConnectFault) -> EndpointAddress? {
        guard let value = self.document[name], value != .null else { return nil }
        guard let address = value.string.flatMap({ EndpointAddress($0, policy: self.policy) })
        else { throw OpenIDConnectFault(.discovery, .field(name)) }
        return address
    }

    func flag(_ name: String) throws(OpenIDConnectFault) -> Bool {
        guard let value = self.document[name], value != .null else { return false }
        guard let flag = value.boolean else { throw OpenIDConnectFault(.discovery, .field(name)) }
        return flag
    }

    /// The words of a list that are known here.
    func words<Word: RawRepresentable<String> & Hashable>(
        _ name: String, otherwise: [String]
    ) throws(OpenIDConnectFault) -> Set<Word> {
        Set((try self.list(name) ?? otherwise).compactMap(Word.init(rawValue:)))
    }

    /// At most 256 texts of at most 256 bytes.
    func list(_ name: String) throws(OpenIDConnectFault) -> [String]? {
        guard let value = self.document[name], value != .null else { return nil }
        guard let texts = value.texts, texts.count <= 256, texts.allSatisfy({ $0.utf8.count <= 256 })
        else { throw OpenIDConnectFault(.discovery, .field(name)) }
        return texts
    }
}
