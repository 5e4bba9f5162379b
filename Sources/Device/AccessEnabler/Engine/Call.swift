/// Hands the result of a call to whoever awaits it.
typealias Reply<Result> = @Sendable (Result) -> Void

/// What an application asks of the library.
enum Call: Sendable {
    case configure(requestorID: String, serviceProviders: [String], Reply<ConfigurationFailure?>?)
    /// The last `configure` again; what comes after it waits for it.
    case resynchronize
    case checkAuthentication(Reply<AuthenticationOutcome>?)
    case authenticate(AuthenticationRequest, Reply<AuthenticationOutcome>?)
    case selectProvider(String?, Reply<Void>?)
    case handleExternalURL(String, Reply<AuthenticationOutcome>?)
    case checkPreauthorized([String], usesCache: Bool, Reply<[String]>?)
    case preauthorize(PreauthorizeRequest, AccessEnablerCallback<PreauthorizeResponse>)
    case authorize(AuthorizationRequest, Reply<Result<MediaToken, AuthorizationFailure>>?)
    case logout(Reply<LogoutOutcome>?)
    case getSelectedProvider(Reply<MVPD?>?)
    case getMetadata([String: MetadataArgument], Reply<MetadataResult>?)

    /// Kept back until a configuration is in force (access-enabler 6.3, D-05).
    var isGated: Bool {
        switch self {
        case .handleExternalURL, .preauthorize: false
        case .configure, .resynchronize, .checkAuthentication, .authenticate, .selectProvider, .checkPreauthorized,
            .authorize, .logout, .getSelectedProvider, .getMetadata:
            true
        }
    }

    var isConfiguration: Bool {
        switch self {
        case .configure, .resynchronize: true
        default: false
        }
    }

    /// Ends without waiting for a server, so that the calls after it need not queue behind it.
    var isQuick: Bool {
        switch self {
        case .checkAuthentication, .authenticate, .selectProvider, .getSelectedProvider: true
        case .configure, .resynchronize, .handleExternalURL, .checkPreauthorized, .preauthorize, .authorize, .logout,
            .getMetadata:
            false
        }
    }
}

/// What `getAuthentication` was given (access-enabler 7.7).
struct AuthenticationRequest: Sendable {
    var forced = false
    var data: [String: String] = [:]
    var filter: ProviderFilter?
}

/// What `checkAuthorization` or `getAuthorization` was given (access-enabler 7.14, 7.15).
struct AuthorizationRequest: Sendable {
    let resource: String
    var data: [String: String] = [:]
    /// `getAuthorization`: a login first, when nobody is signed in.
    var startsLogin = false
}
