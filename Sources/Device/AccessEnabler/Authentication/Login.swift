import Clientless

/// What a run of the authentication flow carries along.
struct Login: Sendable {
    var request = AuthenticationRequest()
    /// Who awaits the end.
    var replies: [Reply<AuthenticationOutcome>] = []
    /// What is authorized once somebody is signed in (access-enabler 7.15).
    var authorizations: [(AuthorizationRequest, Reply<Result<MediaToken, AuthorizationFailure>>?)] = []
    /// Ends what is under way for the attempt.
    var cancellation = Cancellation()
    var code: RegistrationCode?
    var session: NativeSession?
    /// What the store held of a requestor before the session was kept.
    var before: (requestor: String, branch: StoreImage.Requestor)?
    var origin = StoreImage.Origin.regular
    var provider: ProviderFacts?
    /// Where the platform's dialog is shown.
    var dialog: DialogHost?
}

/// A page that is open in a browser.
struct Navigation: Sendable {
    let purpose: NavigationRequest.Purpose
    let completionURLPrefix: String
    let cancellation: Cancellation

    /// Whether `url` is the redirect that ends it: scheme and host compared without regard to case.
    func isEnded(by url: String) -> Bool {
        let (url, prefix) = (url.lowercased(), self.completionURLPrefix.lowercased())
        guard url.hasPrefix(prefix) else { return false }
        return url.dropFirst(prefix.count).first.map { "/?#".contains($0) } ?? true
    }
}

/// What the library last knew of the box's account (access-enabler D-25).
struct BoxAccount: Sendable {
    var isSignedIn: Bool?
}
