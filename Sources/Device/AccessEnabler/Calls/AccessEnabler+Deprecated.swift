import Observability
import Synchronization

// Forms of the original that ended with 3.0 (access-enabler 7.2, 7.5, 7.11, D-49).
extension AccessEnabler {
    /// Without a software statement the application cannot register: `setRequestor` ends with `R400`.
    @available(*, deprecated, message: "Give the software statement of the application.")
    public init() { self.init(softwareStatement: "") }

    /// The signature is not used; the software statement took its place.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public nonisolated func setRequestor(_ requestorID: String, signedRequestorID: String) {
        self.setUnsigned(requestorID, [])
    }

    /// The signature is not used; the software statement took its place.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public nonisolated func setRequestor(
        _ requestorID: String, signedRequestorID: String, serviceProviders urls: [String]
    ) {
        self.setUnsigned(requestorID, urls)
    }

    /// Signature, secret and key are not used; the software statement took their place.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public nonisolated func setRequestor(
        _ requestorID: String, signedRequestorID: String, secret: String, publicKey: String
    ) {
        self.setUnsigned(requestorID, [])
    }

    /// Signature, secret and key are not used; the software statement took their place.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public nonisolated func setRequestor(
        _ requestorID: String, signedRequestorID: String, serviceProviders urls: [String], secret: String,
        publicKey: String
    ) {
        self.setUnsigned(requestorID, urls)
    }

    /// Finishes a login after the redirect to ``AccessEnabler/RedirectURL/adobePass``.
    @available(*, deprecated, renamed: "handleExternalURL(_:)")
    public nonisolated func getAuthenticationToken() { self.handleExternalURL(RedirectURL.adobePass) }

    private nonisolated func setUnsigned(_ requestorID: String, _ urls: [String]) {
        if !self.isDeprecationLogged.exchange(true, ordering: .relaxed) {
            self.logger.error("[AccessEnabler] a signed requestor ID is no longer used; give a software statement")
        }
        self.setRequestor(requestorID, serviceProviders: urls)
    }
}
