/// What a box said about itself and from where, for the confirmation page and the code record.
///
/// Every field came from outside: pages escape it, logs never see it.
package struct BoxDescription: Hashable, Sendable {
    /// The box's own name, such as `Living room`.
    package let name: String?
    package let model: String?
    package let software: String?
    package let userAgent: String?
    /// The normalised client information of rest-v1 5, as Base64; opaque.
    package let deviceInformation: String?
    /// The address the code was asked from, as text.
    package let address: String

    package init(
        name: String?, model: String?, software: String?, userAgent: String?, deviceInformation: String?,
        address: String
    ) {
        self.name = name
        self.model = model
        self.software = software
        self.userAgent = userAgent
        self.deviceInformation = deviceInformation
        self.address = address
    }
}
