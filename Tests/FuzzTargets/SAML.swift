@testable import Providers

extension FuzzTarget {
    /// The shape of a SAML response, before any signature is looked at.
    static let samlResponse = FuzzTarget("saml-response") { input in
        guard let text = try? SAMLText(input, maximumSize: 131_072),
            let element = try? XMLDocumentHandle.parse(text).root(comments: .refused)
        else { return }
        _ = try? ResponseShape(element, rules: SignatureRules(acceptsSHA1: false))
        try? ResponseShape.requireSuccess(element)
        try? ResponseShape.check(decrypted: element)
    }
}
