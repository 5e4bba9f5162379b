import Lifecycle

/// The state of a run of the authentication flow.
struct Login: Sendable {
    /// The state of one attempt of the run; nothing of it goes to the next.
    struct Attempt: Sendable {
        /// Ends what is under way for it.
        var cancellation = StopSignal()
        var code: AccessEnabler.RegistrationCode?
        var session: NativeSession?
        /// The requestor's branch of the store before the session was kept.
        var before: (requestor: String, branch: StoreImage.Requestor)?
        var origin = StoreImage.Origin.regular
        var provider: ProviderFacts?
        var dialog: DialogHost?
    }

    var request = AuthenticationRequest()
    /// The caller for whom the run was begun, where one awaits it.
    var begunBy: Int?
    /// The callers that await the end; one that stops waiting ends the run.
    var replies: [Reply<AccessEnabler.AuthenticationOutcome>] = []
    /// Further callers that await the end, such as of the navigation that they told of.
    var witnesses: [Reply<AccessEnabler.AuthenticationOutcome>] = []
    /// The authorizations that wait until the viewer is signed in (access-enabler 7.15).
    var authorizations: [AuthorizationArguments] = []
    var attempt = Attempt()
}

/// The start of an effect, as it was when the flow asked for it.
struct LoginEffect: Sendable {
    let request: AuthenticationRequest
    let carried: Login.Attempt
    let configuration: RequestorConfiguration
}

/// The result of an effect of the flow. It changes nothing by itself: ``AccessEnabler/settle(_:of:)`` decides whether
/// it still counts.
struct Finding: Sendable {
    /// The event for the flow; `nil` for news on the way.
    var event: AuthenticationFlow.Event?
    var change: @Sendable (inout Login.Attempt) -> Void = { _ in }
    /// A code that was asked for; withdrawn where the finding is late.
    var code: AccessEnabler.RegistrationCode?
    var progress: [AccessEnabler.PairingProgress] = []
    var reports: [EntitlementEvent] = []
    var failure: EntitlementError?
    var page: AccessEnabler.NavigationRequest?

    init(
        _ event: AuthenticationFlow.Event?, failure: EntitlementError? = nil,
        change: @escaping @Sendable (inout Login.Attempt) -> Void = { _ in }
    ) {
        self.event = event
        self.failure = failure
        self.change = change
    }

    /// There is no token.
    /// - Parameter code: of ``AccessEnablerError``.
    init(
        failed failure: EntitlementError?, code: String = AccessEnablerError.genericAuthentication,
        reporting status: AdvancedStatus? = nil
    ) {
        self.init(.failed(code: code), failure: failure)
        if let status { self.reports = [.status(status)] }
    }
}

/// Whether `url` is the redirect that a navigation waits for: scheme and host are compared without regard to case, and
/// a host that only begins like the awaited one is another.
func isCompletion(_ url: String, of prefix: String) -> Bool {
    let (url, prefix) = (url.lowercased().utf8, prefix.lowercased().utf8)
    guard url.starts(with: prefix) else { return false }
    return url.dropFirst(prefix.count).first.map { "/?#".utf8.contains($0) } ?? true
}
