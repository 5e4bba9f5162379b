/// How calls of boxes prove who they are.
package struct DeviceCallSettings: Sendable {
    /// How far a box's clock may be off (rest-v1 7.3).
    package let clockWindow: Duration
    /// Life of an access token (rest-v1 10.4).
    package let accessTokenLifetime: Duration
    /// `iss` of software statements and access tokens; `nil` is the host of the public URL (rest-v1 10.1).
    package let issuer: String?

    init(_ section: SettingsSection) {
        self.clockWindow = section.read(
            "clockWindow", .duration(.seconds(30) ... .seconds(86_400)), default: .seconds(15 * 60),
            "How far a box's clock may be off, and how long a nonce is remembered")
        self.accessTokenLifetime = section.read(
            "accessTokenLifetime", .duration(.seconds(3601) ... .seconds(7 * 86_400)), default: .seconds(21_600),
            "How long an access token lasts; clients renew when less than an hour remains")
        self.issuer = section.readOptional(
            "issuer", .label(1...253), example: "tv.example",
            "Who issues software statements and access tokens; left out, the host of publicURL")
    }
}
