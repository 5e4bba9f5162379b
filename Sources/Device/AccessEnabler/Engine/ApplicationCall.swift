enum ApplicationCall: Sendable {
    case configure(requestorID: String, serviceProviders: [String], Reply<AccessEnabler.ConfigurationFailure?>?)
    /// The last `configure` again; later calls wait for it.
    case resynchronize
    case checkAuthentication(Reply<AccessEnabler.AuthenticationOutcome>?)
    case authenticate(AuthenticationRequest, Reply<AccessEnabler.AuthenticationOutcome>?)
    case selectProvider(String?, Reply<Void>?)
    case handleExternalURL(String, Reply<AccessEnabler.AuthenticationOutcome>?)
    case checkPreauthorized([String], usesCache: Bool, Reply<[String]>?)
    case preauthorize(PreauthorizeRequest, Reply<PreauthorizeResponse>)
    case authorize(AuthorizationArguments)
    case logout(Reply<AccessEnabler.LogoutOutcome>?)
    case getSelectedProvider(Reply<MVPD?>?)
    case getMetadata([String: AccessEnabler.MetadataArgument], Reply<AccessEnabler.MetadataResult>?)
    /// The caller of a call that was under way a moment ago awaits it no longer.
    case withdraw(caller: Int)

    var isConfiguration: Bool {
        switch self {
        case .configure, .resynchronize: true
        default: false
        }
    }

    /// Can begin, change or end a login.
    var concernsLogin: Bool {
        switch self {
        case .configure, .resynchronize, .authenticate, .selectProvider, .handleExternalURL, .logout, .withdraw: true
        case .authorize(let request): request.startsLogin
        case .checkAuthentication, .checkPreauthorized, .preauthorize, .getSelectedProvider, .getMetadata: false
        }
    }

    /// Can be left undone when its caller awaits it no longer. A logout or a choice of the application always counts.
    var isWithdrawable: Bool {
        switch self {
        case .configure, .checkAuthentication, .authenticate, .checkPreauthorized, .authorize, .getSelectedProvider,
            .getMetadata:
            true
        case .resynchronize, .selectProvider, .handleExternalURL, .preauthorize, .logout, .withdraw: false
        }
    }
}

/// The arguments of `getAuthentication` (access-enabler 7.7).
struct AuthenticationRequest: Sendable {
    var forced = false
    var data: [String: String] = [:]
    var filter: AccessEnabler.ProviderFilter?
}

/// The arguments of `checkAuthorization` or `getAuthorization` (access-enabler 7.14, 7.15).
struct AuthorizationArguments: Sendable {
    let resource: String
    var data: [String: String] = [:]
    /// `getAuthorization`: a login first, when no viewer is signed in.
    var startsLogin = false
    var reply: Reply<Result<AccessEnabler.MediaToken, AccessEnabler.AuthorizationFailure>>?
}

struct Reply<Result: Sendable>: Sendable {
    /// The number of the caller, by which its call is found again (``Mailbox/withdraw(_:)``).
    let caller: Int
    let give: @Sendable (Result) -> Void

    func callAsFunction(_ result: Result) { self.give(result) }
}

extension Optional {
    func callAsFunction<Result>(_ result: Result) where Wrapped == Reply<Result> { self?.give(result) }
}
