import Clientless
import Cryptography
import Entitlement
import HTTPClient
import OpenIDConnect
import Synchronization

extension SAMLClient {
    private static let logoutLife: Duration = .seconds(300)

    /// Ends the viewer's session at a provider that takes such requests from this server itself.
    func signOut(_ name: SAMLViewerName, session: String?) async throws(AssertionFault) {
        let metadata = try await self.known().value.metadata
        guard let endpoint = metadata.logout(by: .soap) else { return }
        let request = self.logoutRequest(to: endpoint, of: name, session: session)
        let service = self.settings.service
        let body = try await self.queue.perform { () throws(AssertionFault) in
            Array(try service.signature.signed(request).inEnvelope.written.utf8)
        }
        let headers: HTTPClient.Headers = [
            "Content-Type": "text/xml; charset=utf-8",
            "SOAPAction": "\"http://www.oasis-open.org/committees/security\"",
        ]
        let sent = HTTPClient.Request(
            .post, endpoint.address.text, headers: headers, body: body, limit: SAMLText.maximumMetadataSize,
            time: self.settings.time)
        do throws(AssertionFault) {
            // The answer is not read: what ended here stays ended, whatever it says.
            let answer = try await self.exchange.send(sent) { AssertionFault.logoutExchange($0) }
            guard answer.status == 200 else { throw .logoutStatus(answer.status) }
            self.failsToLogOut.withLock { $0 = false }
        } catch {
            self.failsToLogOut.withLock { $0 = true }
            throw error
        }
    }

    private func logoutRequest(
        to endpoint: SAMLEndpoint, of name: SAMLViewerName, session: String?
    ) -> CanonicalElement {
        let now = self.clocks.now()
        return SAMLRequests(issuer: self.settings.service.entityID, now: now).logout(
            id: SAMLRequests.newID(), to: endpoint.address.text, of: name, session: session,
            until: now + Self.logoutLife)
    }

    /// The address where the viewer's browser ends the session at a provider that does not take ``signOut(_:session:)``.
    ///
    /// A provider that takes requests as forms alone gets one from a page of this server (``ownRequest(_:now:)``): what the
    /// box shows its viewer is an address.
    /// - Returns: `nil` also for a provider without logouts.
    func logoutAddress(_ name: SAMLViewerName, session: String?) async throws(AssertionFault) -> String? {
        guard let metadata = self.document.known?.metadata,
            self.failsToLogOut.withLock({ $0 }) || metadata.logout(by: .soap) == nil,
            let endpoint = metadata.logout(by: .redirect) ?? metadata.logout(by: .post)
        else { return nil }
        let service = self.settings.service
        let request = self.logoutRequest(to: endpoint, of: name, session: session)
        return try await self.queue.perform { () throws(AssertionFault) in
            let query = try SAMLRedirect.query("SAMLRequest", request, relayState: nil, signedBy: service.signature)
            return endpoint.binding == .post ? "\(service.logout)?\(query)" : endpoint.address.appending(query: query)
        }
    }

    /// A request of this server itself, and a browser brought here, for a provider that takes requests as forms alone.
    /// - Returns: the form with the request; `nil` for a message that this server did not sign.
    /// - Throws: why the request counts no more.
    func ownRequest(_ callback: ProviderCallback, now: Timestamp) async throws(AssertionFault) -> ProviderForm? {
        guard callback.method == .get, let parameter = callback["SAMLRequest"] else { return nil }
        let service = self.settings.service
        let keys = service.keys.map(\.key.publicKey)
        let bytes = try await self.notices.perform { () throws(AssertionFault) -> [UInt8]? in
            do throws(AssertionFault) {
                try SAMLRedirect.verify(callback.query, "SAMLRequest", by: keys)
            } catch {
                return nil
            }
            return try SAMLRedirect.message(parameter)
        }
        guard let bytes else { return nil }
        let metadata = try await self.known().value.metadata
        guard let endpoint = metadata.logout(by: .post) else { throw .wrongDestination }
        let rules = SAMLLogoutRules(issuer: service.entityID, destination: endpoint.address.text, now: now)
        return try await self.queue.perform { () throws(AssertionFault) in
            let document = try SAMLDocument(logout: bytes)
            guard let request = try rules.check(document.root) else { throw .notLogout }
            let message = SAMLRequests(issuer: service.entityID, now: now).logout(
                id: request.id, to: endpoint.address.text, of: request.name, session: request.sessions.first,
                until: request.acceptableUntil)
            let text = Base64.encode(try service.signature.signed(message).written.utf8)
            return ProviderForm(to: endpoint.address.text, [NamedText("SAMLRequest", text)])
        }
    }

    /// A message about a logout that a browser brought.
    /// - Returns: `nil` for an answer to a request of ours.
    func logout(_ callback: ProviderCallback, now: Timestamp) async throws(AssertionFault) -> SAMLLogoutRequest? {
        let name: String
        switch (callback["SAMLRequest"], callback["SAMLResponse"]) {
        case (_?, nil): name = "SAMLRequest"
        case (nil, _?): name = "SAMLResponse"
        case (nil, nil), (_?, _?): throw .notLogout
        }
        let parameter = callback[name] ?? ""
        let destination = self.settings.service.logout
        let acceptsSHA1 = self.settings.acceptsSHA1
        return try await self.verifying(in: self.notices) { (known) throws(AssertionFault) in
            let rules = SAMLLogoutRules(issuer: known.metadata.entityID, destination: destination, now: now)
            switch callback.method {
            case .get:
                let bytes = try SAMLRedirect.message(parameter)
                try SAMLRedirect.verify(callback.query, name, by: known.metadata.keys)
                let document = try SAMLDocument(logout: bytes)
                return try rules.check(try known.issuer.withClearName(document.root))
            case .post:
                guard parameter.utf8.count <= ProviderCallback.maximumSize,
                    let bytes = Base64.decodeTolerantly(parameter)
                else { throw .notXML }
                let document = try Self.signedMessage(bytes, isEnvelope: false, acceptsSHA1, known.issuer)
                return try rules.check(try known.issuer.withClearName(document))
            }
        }
    }

    /// A request for a logout from the provider itself.
    func logout(soap body: [UInt8], now: Timestamp) async throws(AssertionFault) -> SAMLLogoutRequest? {
        let destination = self.settings.service.soapLogout
        let acceptsSHA1 = self.settings.acceptsSHA1
        return try await self.verifying(in: self.notices) { (known) throws(AssertionFault) in
            let rules = SAMLLogoutRules(
                issuer: known.metadata.entityID, destination: destination, mayOmitDestination: true, now: now)
            let message = try Self.signedMessage(body, isEnvelope: true, acceptsSHA1, known.issuer)
            return try rules.check(try known.issuer.withClearName(message))
        }
    }

    /// The message that a signature of the provider covers: it has the only one of the document, directly inside.
    private static func signedMessage(
        _ bytes: [UInt8], isEnvelope: Bool, _ acceptsSHA1: Bool, _ issuer: TrustedIssuer
    ) throws(AssertionFault) -> XMLElement {
        let document = try SAMLDocument(logout: bytes)
        let message = isEnvelope ? try SAMLLogoutRules.content(of: document.root) : document.root
        try ResponseShape.requireSignatures(in: [message], of: document.root)
        guard try SignatureRules(acceptsSHA1: acceptsSHA1).isSigned(message) else { throw .unsigned }
        let text = document.written
        try issuer.requireAffordable(text)
        try issuer.verify(document: text.text, isEnvelope: isEnvelope)
        return message
    }

    /// The answer to a request for a logout: to the provider itself, or by the browser's next address.
    /// - Parameters:
    ///   - callback: what the browser brought; `nil` for a request of the provider itself.
    ///   - isWhole: whether every sign-in is found that it may mean.
    func answer(
        to request: SAMLLogoutRequest, _ callback: ProviderCallback?, isWhole: Bool, now: Timestamp
    ) async throws(AssertionFault) -> ProviderNoticeReply {
        let (metadata, service) = (try await self.known().value.metadata, self.settings.service)
        let requests = SAMLRequests(issuer: service.entityID, now: now)
        guard let callback else {
            let message = requests.logoutDone(isWhole, answering: request.id, to: nil)
            return .document(
                try await self.queue.perform { () throws(AssertionFault) in
                    try service.signature.signed(message).inEnvelope.written
                })
        }
        // The way it came, if the provider takes answers so.
        let wanted: [SAMLBinding] = callback.method == .post ? [.post, .redirect] : [.redirect, .post]
        guard let endpoint = wanted.lazy.compactMap(metadata.logout(by:)).first else { return .done }
        let relayState = callback["RelayState"]
        let message = requests.logoutDone(isWhole, answering: request.id, to: endpoint.answerAddress.text)
        return try await self.queue.perform { () throws(AssertionFault) in
            switch endpoint.binding {
            case .redirect, .soap:
                return .redirect(
                    url: try SAMLRedirect.address(
                        endpoint.answerAddress, "SAMLResponse", message, relayState: relayState,
                        signedBy: service.signature))
            case .post:
                let text = Base64.encode(try service.signature.signed(message).written.utf8)
                let state = relayState.map { [NamedText("RelayState", $0)] } ?? []
                return .form(ProviderForm(to: endpoint.answerAddress.text, [NamedText("SAMLResponse", text)] + state))
            }
        }
    }
}
