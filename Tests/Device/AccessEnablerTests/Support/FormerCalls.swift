import AccessEnabler

/// The forms of the original that ended with 3.0. Calling them directly would not compile here, where warnings are
/// errors: a test of them must not be deprecated itself.
protocol FormerConstruction { func makeEnabler() -> AccessEnabler }

protocol FormerRequestor {
    /// In each of the four forms, once.
    func setRequestors(_ enabler: AccessEnabler, _ requestorID: String, _ urls: [String])
}

struct FormerCalls: FormerConstruction, FormerRequestor {
    @available(*, deprecated)
    func makeEnabler() -> AccessEnabler { AccessEnabler() }

    @available(*, deprecated)
    func setRequestors(_ enabler: AccessEnabler, _ requestorID: String, _ urls: [String]) {
        enabler.setRequestor(requestorID, signedRequestorID: "signed")
        enabler.setRequestor(requestorID, signedRequestorID: "signed", serviceProviders: urls)
        enabler.setRequestor(requestorID, signedRequestorID: "signed", secret: "secret", publicKey: "key")
        enabler.setRequestor(
            requestorID, signedRequestorID: "signed", serviceProviders: urls, secret: "secret", publicKey: "key")
    }
}
