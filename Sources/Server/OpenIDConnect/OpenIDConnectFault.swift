package import HTTPClient

/// Why a step with a provider failed. Holds neither codes nor tokens, so that it may be logged.
package struct OpenIDConnectFault: Error, Hashable, Sendable {
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case discovery, keys, pushedAuthorization, authorization, token, refresh, userInfo, backChannelLogout
        case frontChannelLogout, revocation
    }

    package enum Cause: Hashable, Sendable {
        case exchange(HTTPClientError)
        /// An answer with a status that means nothing here.
        case status(Int)
        /// An answer that is no JSON of the expected form, or larger than allowed.
        case unreadable
        /// A field is missing, or is not as it must be.
        case field(String)
        /// The provider said no, in the words of RFC 6749 or OpenID Connect.
        case refused(ProviderErrorCode)
        case token(TokenFault)
        /// The answer is not of the provider that was asked (RFC 9207), or not to the request that was made.
        case mixUp
        /// The provider's own document names another issuer than the settings do.
        case otherIssuer(named: String, expected: String)
        /// The provider cannot do what its configuration here asks for.
        case unsupported(String)
    }

    package let step: Step
    package let cause: Cause

    package init(_ step: Step, _ cause: Cause) {
        self.step = step
        self.cause = cause
    }

    package enum Trouble: String, Sendable, Hashable, CaseIterable {
        /// The viewer, or the provider on the viewer's behalf, said no.
        case declined
        /// A sign-in without a page is not possible; one with a page may be.
        case loginRequired
        /// The provider does not answer, or says that it cannot now.
        case unreachable
        /// One side's configuration is wrong; trying again changes nothing.
        case misconfigured
        /// An answer that must not be believed.
        case untrusted
        /// The kept sign-in counts no more at the provider.
        case ended
    }

    package var trouble: Trouble {
        switch self.cause {
        case .exchange(let error): error.isMisconfigured ? .misconfigured : .unreachable
        // The answer of userinfo to an access token that is over (RFC 6750 3.1).
        case .status(401) where self.step == .userInfo: .ended
        // Without the code of RFC 6749 5.2; so glewlwyd answers a refresh token that was used. Faults of the client get
        // 401.
        case .status(400) where self.step == .refresh: .ended
        case .status(let status): status == 429 || status >= 500 ? .unreachable : .misconfigured
        case .unreadable: .unreachable
        case .field, .unsupported, .otherIssuer: .misconfigured
        case .token(.encrypted), .token(.algorithm), .token(.unknownKey): .misconfigured
        case .token, .mixUp: .untrusted
        case .refused(let refusal): self.trouble(of: refusal)
        }
    }

    /// Whether there was an answer, and it is nothing that a provider says.
    package var isGarbage: Bool {
        switch self.cause {
        case .unreadable: true
        case .exchange(let error): error.isGarbage
        case .status, .field, .refused, .token, .mixUp, .otherIssuer, .unsupported: false
        }
    }

    private func trouble(of refusal: ProviderErrorCode) -> Trouble {
        switch refusal {
        case .accessDenied: .declined
        case .loginRequired, .interactionRequired, .consentRequired, .accountSelectionRequired: .loginRequired
        case .serverError, .temporarilyUnavailable: .unreachable
        // RFC 6749 5.2: the code, or the refresh token, is over, revoked, or another client's.
        case .invalidToken: .ended
        case .invalidGrant: self.step == .refresh ? .ended : .untrusted
        default: .misconfigured
        }
    }
}

extension OpenIDConnectFault: CustomStringConvertible {
    package var description: String {
        switch self.cause {
        case .exchange(let error): "\(self.step): \(error.withRemedy)"
        case .status(let status): "\(self.step): the provider answered \(status)"
        case .unreadable: "\(self.step): the answer cannot be read"
        case .field(let name): "\(self.step): \(name) is missing or unfit"
        case .refused(.invalidClient):
            "\(self.step): the provider refused with invalid_client: look at the client's ID, secret and authentication"
        case .refused(let refusal): "\(self.step): the provider refused with \(refusal)"
        case .token(let fault): "\(self.step): \(fault)"
        case .mixUp: "\(self.step): the answer is of another provider or to another request"
        case .otherIssuer(let named, let expected):
            "\(self.step): the provider calls itself '\(named)', and the settings call it '\(expected)'"
        case .unsupported(let what): "\(self.step): the provider does not support \(what)"
        }
    }
}

extension OpenIDConnectFault.Step {
    /// Holds a token to a rule. The fault that it finds is one of this step.
    func checked<Value>(_ rule: () throws(TokenFault) -> Value) throws(OpenIDConnectFault) -> Value {
        do throws(TokenFault) { return try rule() } catch { throw OpenIDConnectFault(self, .token(error)) }
    }
}
