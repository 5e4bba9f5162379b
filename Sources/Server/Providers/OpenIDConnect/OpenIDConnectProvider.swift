package import ClaimsMapping
package import Clientless
package import Entitlement
package import OpenIDConnect

/// A TV provider whose viewers sign in on its own pages, by OpenID Connect.
package struct OpenIDConnectProvider: Provider {
    package struct Rules: Sendable {
        package var lineUp: LineUpSource
        package var mapping: MetadataMapping
        /// Whether a sign-in that cannot be renewed ends with the provider's token.
        package var endsWithToken = false
        /// Whether a viewer's browser may bring the provider's word that a session ended.
        package var takesFrontChannelLogout = false

        package init(lineUp: LineUpSource, mapping: MetadataMapping) {
            self.lineUp = lineUp
            self.mapping = mapping
        }
    }

    private let client: OpenIDConnectClient
    private let rules: Rules

    package init(_ client: OpenIDConnectClient, _ rules: Rules) {
        self.client = client
        self.rules = rules
    }

    package var isRemote: Bool { true }

    /// Refresh tokens count once.
    package var changesSessions: Bool { true }

    package func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        let start = try await ProviderError.asking { () throws(OpenIDConnectFault) in
            try await self.client.begin(
                redirectAddress: login.callback, state: login.reference, isPassive: login.isPassive,
                asksAnew: login.asksAnew == true)
        }
        return (.redirect(url: start.address), try ProviderState(start.attempt.json.bytes))
    }

    package func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        let answer = try response.callback()
        let attempt = try Self.attempt(in: state)
        let signIn: ProviderSignIn
        do throws(OpenIDConnectFault) {
            signIn = try await self.client.complete(
                answer.parameters.map { (name: $0.name, value: $0.value) }, attempt: attempt, state: login.reference)
        } catch {
            guard let refusal = ProviderRefusal(error) else { throw ProviderError(error) }
            return .refused(refusal)
        }
        return .accepted(try self.login(signIn, former: nil))
    }

    /// By the package that the provider last said. Once its token is over, it is asked anew if it can be: a viewer
    /// who left has nothing then.
    package func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        let kept = try OpenIDConnectSession(session)
        guard let tokens = kept.tokens, tokens.isRenewable, let end = tokens.accessExpires, end <= now
        else { return ProviderAnswer(self.decisions(on: resources, kept)) }
        let login = try await self.renewed(tokens, of: kept)
        let latest = try OpenIDConnectSession(login.session)
        return ProviderAnswer(self.decisions(on: resources, latest), session: login.session, metadata: login.metadata)
    }

    package func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]? {
        self.entries(of: try OpenIDConnectSession(session))
    }

    package func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        let kept = try OpenIDConnectSession(session)
        guard let tokens = kept.tokens, tokens.isRenewable else { return ProviderAnswer(nil) }
        let login = try await self.renewed(tokens, of: kept)
        return ProviderAnswer(.accepted(login), session: login.session, metadata: login.metadata)
    }

    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        try self.rules.lineUp.recognise(login, OpenIDConnectSession(tokens: nil, lineUp: [], metadata: login.metadata))
    }

    package func endSession(_ session: ProviderSession) async throws(ProviderError) {
        guard let tokens = try OpenIDConnectSession(session).tokens else { return }
        _ = try await ProviderError.asking { () throws(OpenIDConnectFault) in try await self.client.revoke(tokens) }
    }

    package func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? {
        try OpenIDConnectSession(session).tokens.flatMap { self.client.logoutAddress($0) }
    }

    package func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? {
        switch notice {
        case .backChannel(let token):
            return Self.checked(
                try await ProviderError.asking { () throws(OpenIDConnectFault) in
                    try await self.client.backChannelLogout(token)
                })
        case .browser, .envelope: return nil
        case .frontChannel(let issuer, let session):
            guard self.rules.takesFrontChannelLogout else { return nil }
            return Self.checked(
                try await ProviderError.asking { () throws(OpenIDConnectFault) in
                    try self.client.frontChannelLogout(issuer: issuer, session: session)
                })
        }
    }
}

extension OpenIDConnectProvider {
    /// The result of the claims of a viewer, for operators who try it.
    package static func view(
        of claims: JSONValue, _ rules: Rules
    ) -> (lineUp: [String], doubt: String?, metadata: MetadataMapping.Result) {
        let attributes = SourceAttributes(claims: claims)
        return (
            rules.lineUp.entries(in: attributes), rules.lineUp.kept(of: attributes).doubt,
            rules.mapping.apply(to: attributes)
        )
    }

    private func decisions(on resources: [Resource], _ session: OpenIDConnectSession) -> [Decision] {
        resources.map(LineUp(entries: self.entries(of: session)).decide)
    }

    private func entries(of session: OpenIDConnectSession) -> [String] {
        self.rules.lineUp.entries(kept: session.lineUp)
    }

    private func renewed(
        _ tokens: ProviderTokens, of kept: OpenIDConnectSession
    ) async throws(ProviderError) -> ProviderLogin {
        let signIn = try await ProviderError.asking { () throws(OpenIDConnectFault) in
            try await self.client.refresh(tokens)
        }
        return try self.login(signIn, former: kept)
    }

    /// - Parameter former: what was kept, for a renewal that says nothing of the viewer.
    private func login(_ signIn: ProviderSignIn, former: OpenIDConnectSession?) throws(ProviderError) -> ProviderLogin {
        let tokens = signIn.tokens
        let session: OpenIDConnectSession
        var doubt: String?
        if let former, case .object(let members) = signIn.claims, members.isEmpty {
            session = OpenIDConnectSession(tokens: tokens, lineUp: former.lineUp, metadata: former.metadata)
        } else {
            let attributes = SourceAttributes(claims: signIn.claims)
            var package = self.rules.lineUp.kept(of: attributes)
            var metadata = self.rules.mapping.apply(to: attributes).values
            // Of an ID token too large to be kept only what was made of it is known.
            if let former, signIn.idToken == nil, tokens.idToken == nil {
                if package.doubt != nil { package = (former.lineUp, nil) }
                metadata.merge(former.metadata) { latest, _ in latest }
            }
            doubt = package.doubt
            session = OpenIDConnectSession(tokens: tokens, lineUp: package.lineUp, metadata: metadata)
        }
        let end =
            self.rules.endsWithToken && !tokens.isRenewable ? tokens.accessExpires ?? signIn.idToken?.expires : nil
        var login = ProviderLogin(
            upstreamUserID: tokens.subject, session: try session.kept(),
            sessionName: Self.sessionName(tokens.sessionID, tokens.subject), until: end, metadata: session.metadata)
        login.doubt = doubt
        return login
    }

    /// The provider's session, or all of the viewer if the provider names none; neither is taken for the other.
    private static func sessionName(_ session: String?, _ subject: String) -> String {
        session.map { "sid \($0)" } ?? "sub \(subject)"
    }

    private static func checked(_ notice: LogoutNotice) -> CheckedNotice? {
        var once: CheckedNotice.Once?
        if let id = notice.tokenID, let until = notice.acceptableUntil {
            once = CheckedNotice.Once(id, until: until)
        }
        // A sign-in whose ID token had no `sid` is known by the viewer alone.
        let subject = notice.subject.map { ProviderEnding.session("sub \($0)") }
        if let session = notice.sessionID {
            return CheckedNotice([.session("sid \(session)"), subject].compactMap(\.self), once: once)
        }
        return notice.subject.map { CheckedNotice([.viewer($0)], once: once) }
    }

    private static func attempt(in state: ProviderState) throws(ProviderError) -> AuthorizationAttempt {
        guard let attempt = JSONValue(reading: state.bytes).flatMap(AuthorizationAttempt.init)
        else { throw ProviderError(.unproven, detail: "the login began at a provider of another kind") }
        return attempt
    }
}

extension OpenIDConnectFault: ProviderFault {
    var kind: ProviderError.Kind {
        switch self.trouble {
        // A stranger must not be able to shut a provider, nor to ring an operator's bell.
        case .unreachable: self.step == .authorization ? .refused : .unreachable
        case .misconfigured: self.step == .authorization ? .refused : .misconfigured
        // Only a browser's answer is a no of the viewer; anywhere else it proves nothing.
        case .untrusted, .declined, .loginRequired: .unproven
        case .ended: .sessionOver
        }
    }
}

extension ProviderRefusal {
    /// The meaning of a fault for the viewer; `nil` for one that is no refusal.
    init?(_ fault: OpenIDConnectFault) {
        switch fault.trouble {
        case .declined: self.init(.declined)
        case .loginRequired: self.init(.needsViewer)
        case .unreachable, .misconfigured, .untrusted, .ended: return nil
        }
    }
}
