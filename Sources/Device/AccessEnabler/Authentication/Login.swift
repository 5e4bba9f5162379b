import Clientless

/// What a run of the authentication flow carries along.
struct Login: Sendable {
    /// What one attempt of the run carries along, and nothing of it to the next.
    struct Attempt: Sendable {
        /// Ends what is under way for it.
        var cancellation = Cancellation()
        var code: AccessEnabler.RegistrationCode?
        var session: NativeSession?
        /// What the store held of a requestor before the session was kept.
        var before: (requestor: String, branch: StoreImage.Requestor)?
        var origin = StoreImage.Origin.regular
        var provider: ProviderFacts?
        /// Where the platform's dialog is shown.
        var dialog: DialogHost?
    }

    var request = AuthenticationRequest()
    /// The caller for whom the run was begun, where one awaits it.
    var begunBy: Int?
    /// Those who await the end, and end the run when they do not.
    var replies: [Reply<AccessEnabler.AuthenticationOutcome>] = []
    /// Those who await the end, such as of the navigation they told of.
    var witnesses: [Reply<AccessEnabler.AuthenticationOutcome>] = []
    /// What is authorized once the viewer is signed in (access-enabler 7.15).
    var authorizations:
        [(
            request: AuthorizationRequest,
            reply: Reply<Result<AccessEnabler.MediaToken, AccessEnabler.AuthorizationFailure>>?
        )] = []
    var attempt = Attempt()
}

/// What an effect of the flow starts from, as it was when the flow asked for it.
struct LoginStep: Sendable {
    let request: AuthenticationRequest
    let carried: Login.Attempt
    let configuration: RequestorConfiguration
}

/// What an effect of the flow found out. It changes nothing by itself: ``AccessEnabler/settle(_:of:)`` decides whether
/// it still counts.
struct Finding: Sendable {
    /// What the flow is told; `nil` for news on the way.
    var event: AuthenticationFlow.Event?
    /// What the attempt carries from then on.
    var change: @Sendable (inout Login.Attempt) -> Void = { _ in }
    /// A code that was asked for; withdrawn where the finding is late.
    var code: AccessEnabler.RegistrationCode?
    var progress: [AccessEnabler.PairingProgress] = []
    var reports: [EntitlementEvent] = []
    var failure: EntitlementError?
    /// A page to open.
    var page: AccessEnabler.NavigationRequest?

    init(
        _ event: AuthenticationFlow.Event?, failure: EntitlementError? = nil,
        change: @escaping @Sendable (inout Login.Attempt) -> Void = { _ in }
    ) {
        self.event = event
        self.failure = failure
        self.change = change
    }
}

/// A page that is open in a browser.
struct Navigation: Sendable {
    let purpose: AccessEnabler.NavigationRequest.Purpose
    let completionURLPrefix: String
    let cancellation: Cancellation

    /// Whether `url` is the redirect that ends it.
    func isEnded(by url: String) -> Bool { isCompletion(url, of: self.completionURLPrefix) }
}

/// Whether `url` is the redirect that a navigation waits for: scheme and host are compared without regard to case, and
/// a host that only begins like the awaited one is another.
func isCompletion(_ url: String, of prefix: String) -> Bool {
    let (url, prefix) = (url.lowercased().utf8, prefix.lowercased().utf8)
    guard url.starts(with: prefix) else { return false }
    return url.dropFirst(prefix.count).first.map { "/?#".utf8.contains($0) } ?? true
}
