import Entitlement

@testable import Providers

extension FuzzTarget {
    /// The shape of a SAML response, before any signature is looked at.
    static let samlResponse = FuzzTarget("saml-response") { input in
        guard let text = try? SAMLText(input, maximumSize: PlatformExchange.maximumLength),
            let document = try? SAMLDocument(text)
        else { return }
        let element = document.root
        _ = try? ResponseShape(element, rules: SignatureRules(acceptsSHA1: false))
        try? ResponseShape.requireSuccess(element)
        try? ResponseShape.check(decrypted: element)
        guard (try? SAMLDocument.requireKnownElements(in: element)) != nil,
            let written = try? SAMLText(Array(document.written.utf8), maximumSize: .max),
            let read = try? XMLDocumentHandle.parse(written).root(comments: .refused)
        else { return }
        precondition(read == element, "the library reads what our reader read")
    }
}
