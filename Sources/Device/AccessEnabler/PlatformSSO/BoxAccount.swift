/// The last news of the box's account (access-enabler D-25).
struct BoxAccount: Sendable {
    /// How long the account's keeper may take to answer where no viewer is asked.
    static let timeLimit: Duration = .seconds(8)
    static let tooLate = PlatformSSOFailure.service(
        message: "The keeper of the account does not answer.", details: "no answer within 8 s")

    /// `nil` until the account was asked, or said so by itself.
    private(set) var isSignedIn: Bool?

    mutating func note(_ change: PlatformSSOChange) {
        switch change {
        case .signedIn: self.isSignedIn = true
        case .signedOut: self.isSignedIn = false
        case .permissionChanged: break
        }
    }

    mutating func note(_ account: AccessEnabler.AccountInfo) { self.isSignedIn = account.providerIdentifier != nil }
}
