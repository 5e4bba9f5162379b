import Clientless
import Cryptography
package import Entitlement
import OpenIDConnect

extension SAMLClient {
    /// - Parameter reference: comes back as RelayState.
    /// - Returns: the browser's way, and the ID of the request, which the answer has to name.
    package func begin(
        reference: String, isPassive: Bool = false, isForced: Bool = false
    ) async throws(AssertionFault) -> (handover: ProviderHandover, request: String) {
        let known = try await self.known().value
        let endpoint = try self.endpoint(of: known.metadata)
        let service = self.settings.service
        let requests = SAMLRequests(issuer: service.entityID, now: self.clocks.now())
        let id = SAMLRequests.newID()
        let message = requests.signIn(
            id: id, to: endpoint.address.text, consumer: service.consumer, isPassive: isPassive,
            isForced: isForced || self.settings.forcesSignIn, nameFormat: self.settings.nameFormat)
        return try await self.queue.perform { () throws(AssertionFault) in
            switch endpoint.binding {
            case .redirect, .soap:
                let address = try SAMLRedirect.address(
                    endpoint.address, "SAMLRequest", message, relayState: reference, signedBy: service.signature)
                return (.redirect(url: address), id)
            case .post:
                let text = Base64.encode(try service.signature.signed(message).written.utf8)
                let fields = [NamedText("SAMLRequest", text), NamedText("RelayState", reference)]
                return (.form(ProviderForm(to: endpoint.address.text, fields)), id)
            }
        }
    }

    private func endpoint(of metadata: IdentityProviderMetadata) throws(AssertionFault) -> SAMLEndpoint {
        let wanted: [SAMLBinding] = self.settings.requestBinding.map { [$0] } ?? [.redirect, .post]
        for binding in wanted {
            if let endpoint = metadata.signIn.first(where: { $0.binding == binding }) { return endpoint }
        }
        throw .metadataWithoutSignIn
    }

    /// Reads the answer to a request, and checks all of it but whether it came before.
    /// - Parameter request: its ID.
    /// - Returns: the assertion, with which the provider vouches for a viewer, and its issuer.
    func complete(
        _ callback: ProviderCallback, reference: String, request: String, now: Timestamp
    ) async throws(AssertionFault) -> (assertion: AssertionFacts, issuer: String) {
        guard callback.method == .post, let message = callback["SAMLResponse"], callback["RelayState"] == reference
        else { throw .notResponse }
        guard message.utf8.count <= ProviderCallback.maximumSize, let bytes = Base64.decodeTolerantly(message)
        else { throw .notXML }
        // Before it waits with others, who would fill the memory if each could be of any size.
        let text = try SAMLText(bytes, maximumSize: PlatformBoarding.maximumLength)
        let (service, settings) = (self.settings.service, self.settings)
        return try await self.verifying(in: self.queue) { (known) throws(AssertionFault) in
            let rules = AssertionRules(
                issuer: known.metadata.entityID, audience: service.entityID, recipient: service.consumer,
                request: request, now: now)
            let document = try SAMLDocument(text)
            if let status = SAMLStatus(of: document.root) {
                // No signature is asked for: it comes in the viewer's own browser, for a request that is not known
                // elsewhere, and lets no one in.
                guard document.root.has(.protocolElement("Response")) else { throw .notResponse }
                try rules.requireAddress(of: document.root)
                throw .status(status)
            }
            let signatures = SignatureRules(acceptsSHA1: settings.acceptsSHA1)
            let shape = try ResponseShape(successful: document.root, rules: signatures)
            try rules.requireAddress(of: document.root)
            let assertion = try shape.verifiedAssertion(
                of: document, from: known.issuer, by: signatures,
                isOwnSignatureNeeded: !settings.takesSignedResponses)
            return (try rules.facts(of: assertion), known.metadata.entityID)
        }
    }
}
