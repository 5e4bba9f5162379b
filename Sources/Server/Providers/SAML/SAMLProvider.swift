package import ClaimsMapping
package import Clientless
import Cryptography
package import Entitlement

/// A TV provider whose viewers sign in on its own pages, by SAML 2.0.
package struct SAMLProvider: Provider {
    package struct Rules: Sendable {
        package var lineUp: LineUpSource
        package var mapping: MetadataMapping
        /// The attribute that says who the viewer is; `nil` for the name of the assertion.
        package var viewerAttribute: String?
        /// The page that browsers go to after a logout at the provider.
        package var logoutPage: String?

        package init(lineUp: LineUpSource, mapping: MetadataMapping) {
            self.lineUp = lineUp
            self.mapping = mapping
        }
    }

    private let client: SAMLClient
    private let rules: Rules

    package init(_ client: SAMLClient, _ rules: Rules) {
        self.client = client
        self.rules = rules
    }

    package var isRemote: Bool { true }

    package func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        guard login.callback == self.client.settings.service.consumer else {
            throw ProviderError(
                .misconfigured, detail: "answers go to another address than the provider's settings say")
        }
        let start = try await ProviderError.asking { () throws(AssertionFault) in
            try await self.client.begin(
                reference: login.reference, isPassive: login.isPassive, isForced: login.asksAnew == true)
        }
        return (start.handover, try ProviderState(Array(start.request.utf8)))
    }

    package func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        let answer = try response.callback()
        guard let request = String(validating: state.bytes, as: UTF8.self), !request.isEmpty
        else { throw ProviderError(.unproven, detail: "the login began at a provider of another kind") }
        let signIn: (assertion: AssertionFacts, issuer: String)
        do throws(AssertionFault) {
            signIn = try await self.client.complete(answer, reference: login.reference, request: request, now: now)
        } catch {
            guard let refusal = Entitlement.ProviderRefusal(error) else { throw ProviderError(error) }
            return .refused(refusal)
        }
        return try self.verdict(signIn.assertion, of: signIn.issuer)
    }

    /// By the package that the provider said with the sign-in.
    package func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        let entries = try self.entries(of: session)
        return ProviderAnswer(resources.map(LineUp(entries: entries).decide))
    }

    package func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]? {
        try self.entries(of: session)
    }

    private func entries(of session: ProviderSession) throws(ProviderError) -> [String] {
        self.rules.lineUp.entries(kept: try SAMLSession(session).lineUp)
    }

    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        try self.rules.lineUp.recognise(login, SAMLSession(name: nil, sessionIndex: nil, lineUp: []))
    }

    package func endSession(_ session: ProviderSession) async throws(ProviderError) {
        let kept = try SAMLSession(session)
        guard let name = kept.name else { return }
        try await ProviderError.asking { () throws(AssertionFault) in
            try await self.client.signOut(name, session: kept.sessionIndex)
        }
    }

    package func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? {
        let kept = try SAMLSession(session)
        guard let name = kept.name else { return nil }
        return try await ProviderError.asking { () throws(AssertionFault) in
            try await self.client.logoutAddress(name, session: kept.sessionIndex)
        }
    }

    package func publication(now: Timestamp) async throws(ProviderError) -> ProviderPublication? {
        let text = try await ProviderError.asking { () throws(AssertionFault) in try self.client.published() }
        return ("application/samlmetadata+xml", text)
    }

    package func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? {
        switch notice {
        case .backChannel, .frontChannel: return nil
        case .browser(let callback):
            return try await ProviderError.asking { () throws(AssertionFault) in
                if let form = try await self.client.ownRequest(callback, now: now) {
                    return CheckedNotice([], reply: .form(form))
                }
                return try await self.checked(try await self.client.logout(callback, now: now), callback, now: now)
            }
        case .envelope(let body):
            return try await ProviderError.asking { () throws(AssertionFault) in
                try await self.checked(try await self.client.logout(soap: body, now: now), nil, now: now)
            }
        }
    }
}

extension SAMLProvider {
    /// The result of the attributes of a viewer, for operators who try it, too.
    /// - Parameter name: the viewer's name in the assertion.
    /// - Returns: `nil` for the viewer when the attribute is missing that says who they are; a sentence if the line-up is
    ///   doubtful.
    package static func view(
        of attributes: SourceAttributes, name: String?, _ rules: Rules
    ) -> (viewer: String?, lineUp: [String], doubt: String?, metadata: MetadataMapping.Result) {
        let viewer = rules.viewerAttribute.map { attributes.texts(at: [$0], limit: ProviderLogin.maximumName).first }
        return (
            viewer ?? name, rules.lineUp.entries(in: attributes), rules.lineUp.kept(of: attributes).doubt,
            rules.mapping.apply(to: attributes)
        )
    }

    private func verdict(_ assertion: AssertionFacts, of issuer: String) throws(ProviderError) -> ProviderVerdict {
        let attributes = SourceAttributes(assertion.attributes)
        let view = Self.view(of: attributes, name: assertion.name.text, self.rules)
        guard let viewer = view.viewer else {
            throw ProviderError(.misconfigured, detail: "the assertion has no attribute that says who the viewer is")
        }
        guard self.rules.viewerAttribute != nil || assertion.name.isLasting else {
            throw ProviderError(
                .misconfigured, detail: "the viewer's name is another one for every sign-in; viewerAttribute is needed")
        }
        let package = self.rules.lineUp.kept(of: attributes)
        let session = SAMLSession(name: assertion.name, sessionIndex: assertion.sessionIndex, lineUp: package.lineUp)
        // Both are foreign text of any length; their digest is not.
        let once = CheckedNotice.Once(
            "assertion \(Self.digest("\(issuer)\n\(assertion.id)"))", until: assertion.acceptableUntil)
        var login = ProviderLogin(
            upstreamUserID: viewer, session: try session.kept(),
            sessionName: SAMLSession.sessionName(assertion.name, index: assertion.sessionIndex),
            until: assertion.sessionEnd, metadata: view.metadata.values, once: once)
        login.doubt = package.doubt
        return .accepted(login)
    }

    private func checked(
        _ request: SAMLLogoutRequest?, _ callback: ProviderCallback?, now: Timestamp
    ) async throws(AssertionFault) -> CheckedNotice {
        guard let request else {
            // Only a browser brings an answer; the session ended here before it was asked for.
            guard callback != nil else { throw .notLogout }
            return CheckedNotice([], reply: self.rules.logoutPage.map { .redirect(url: $0) } ?? .done)
        }
        // The name of a viewer who is known by an attribute does not find every sign-in that has an index.
        let isWhole = self.rules.viewerAttribute == nil || !request.name.isLasting || !request.sessions.isEmpty
        let endings: [ProviderEnding]
        if !request.name.isLasting {
            endings = [.session(SAMLSession.sessionName(request.name, index: nil))]
        } else if request.sessions.isEmpty {
            endings = [.viewer(request.name.text), .session(SAMLSession.sessionName(request.name, index: nil))]
        } else {
            // The last one is a sign-in whose assertion had no index.
            endings = (request.sessions + [nil]).map { .session(SAMLSession.sessionName(request.name, index: $0)) }
        }
        let once = CheckedNotice.Once("logout \(Self.digest(request.id))", until: request.acceptableUntil)
        let reply = try await self.client.answer(to: request, callback, isWhole: isWhole, now: now)
        return CheckedNotice(endings, once: once, reply: reply)
    }

    private static func digest(_ text: String) -> String { Hex.encode(Digest.sha256(text.utf8)) }
}

extension SourceAttributes {
    /// The attributes of an assertion, by their names; also by their friendly names, if no other has that name.
    init(_ elements: [XMLElement]) {
        func named(_ label: String) -> [Attribute] {
            elements.compactMap { element in
                let values = element.children(.assertionElement("AttributeValue")).compactMap(\.plainText)
                return element[attribute: label].map { Attribute($0, values.map { .string($0) }) }
            }
        }
        let attributes = named("Name")
        let names = Set(attributes.map(\.name))
        self.init(attributes + named("FriendlyName").filter { !names.contains($0.name) })
    }

    /// The attributes of a response or an assertion in XML, unverified, for operators who try what becomes of them.
    /// - Returns: the viewer's name, too; `nil` if it is no such document, or has encrypted content.
    package static func unverified(in document: [UInt8]) -> (name: String?, attributes: SourceAttributes)? {
        guard let text = try? SAMLText(document, maximumSize: PlatformBoarding.maximumLength),
            let root = try? SAMLDocument(text).root
        else { return nil }
        let assertion =
            root.has(.assertionElement("Assertion"))
            ? root : root.onlyChild(.assertionElement("Assertion"))
        guard let assertion else { return nil }
        let name = assertion.onlyChild(.assertionElement("Subject"))?.onlyChild(.assertionElement("NameID"))?.plainText
        let elements = assertion.children(.assertionElement("AttributeStatement"))
            .flatMap { $0.children(.assertionElement("Attribute")) }
        return (name, SourceAttributes(elements))
    }
}
