public import FoundationEssentials

extension AccessEnabler {
    /// Whether an application may use the box's account (access-enabler 10.3).
    public enum PlatformAccess: Sendable, Hashable {
        /// The viewer allowed it.
        case granted
        /// The viewer refused.
        case denied
        /// The viewer was not asked yet.
        case notDetermined
        /// As denied.
        case restricted
    }

    /// A question to the box's account (access-enabler 10.2).
    public struct AccountQuery: Sendable, Hashable {
        /// The SAML issuer of the server.
        public var channelIdentifier: String
        /// Whether the answer names the provider.
        public var includeProviderIdentifier: Bool
        /// Whether the answer says how long the sign-in lasts.
        public var includeExpirationDate: Bool
        /// False: nothing is ever shown.
        public var isInterruptionAllowed: Bool
        /// Platform IDs of providers, in order.
        public var supportedProviders: [String]
        /// Those of them to highlight.
        public var featuredProviders: [String]
        /// Those of them for which an account is of no use: the application signs in there by itself.
        package var regularProviders: [String] = []
        /// The attributes that the profile has to name.
        public var attributeNames: [String]
        /// The profile request of the server.
        public var verificationToken: [UInt8]?

        /// A question that shows nothing unless interruption is allowed.
        public init(
            channelIdentifier: String, includeProviderIdentifier: Bool = true, includeExpirationDate: Bool = true,
            isInterruptionAllowed: Bool = false, supportedProviders: [String] = [], featuredProviders: [String] = [],
            attributeNames: [String] = [], verificationToken: [UInt8]? = nil
        ) {
            self.channelIdentifier = channelIdentifier
            self.includeProviderIdentifier = includeProviderIdentifier
            self.includeExpirationDate = includeExpirationDate
            self.isInterruptionAllowed = isInterruptionAllowed
            self.supportedProviders = supportedProviders
            self.featuredProviders = featuredProviders
            self.attributeNames = attributeNames
            self.verificationToken = verificationToken
        }
    }

    /// The account of the box, as its keeper describes it (access-enabler 10.2).
    public struct AccountInfo: Sendable, Hashable {
        /// The provider as the platform calls it; `nil` when the box is not signed in. A sign-in that has expired is
        /// still one.
        public var providerIdentifier: String?
        /// How long the sign-in lasts; `nil` for one that does not expire, or whose end is not known.
        public var authenticationExpires: Date?
        /// The SAML response to a verification token.
        public var profile: String?

        /// The answer of a keeper of the account.
        public init(providerIdentifier: String? = nil, authenticationExpires: Date? = nil, profile: String? = nil) {
            self.providerIdentifier = providerIdentifier
            self.authenticationExpires = authenticationExpires
            self.profile = profile
        }
    }
}

/// Why the box's account gave no answer (access-enabler 10.2).
public enum PlatformSSOFailure: Error, Sendable, Hashable {
    /// "Other TV providers".
    case otherProviderChosen
    /// A provider without platform SSO, by its platform ID.
    case unsupportedProvider(String)
    /// The viewer cancelled.
    case cancelled
    /// The account's keeper cannot be reached, or failed.
    case service(message: String, details: String)
}

/// The keeper of the box's account, such as a system daemon (access-enabler 10).
public protocol PlatformSSOService: Sendable {
    /// Whether this application may use the account.
    /// - Parameter prompt: asks the viewer when it is not determined.
    func access(prompt: Bool) async throws(PlatformSSOFailure) -> AccessEnabler.PlatformAccess
    /// Asks the account.
    /// - Parameters:
    ///   - query: the question.
    ///   - dialog: where to show the choice of a provider when the box is not signed in; `nil` shows nothing.
    func account(
        _ query: AccessEnabler.AccountQuery, dialog: (any TvProviderDialogHost)?
    ) async throws(PlatformSSOFailure) -> AccessEnabler.AccountInfo
    /// The changes of the account while the application runs.
    var changes: AsyncStream<PlatformSSOChange> { get }
}

/// A change of the box's account.
public enum PlatformSSOChange: Sendable, Hashable {
    /// The box was signed in, or to another provider.
    case signedIn
    /// The box was signed out.
    case signedOut
    /// An application may use the account now, or no longer.
    case permissionChanged
}

/// The host that shows the dialog of a ``PlatformSSOService``; the library hands it to the application.
public protocol TvProviderDialogHost: Sendable {
    /// Shows the dialog.
    func present(_ request: TvProviderDialogRequest) async
    /// Takes the dialog away.
    func dismiss(_ request: TvProviderDialogRequest) async
}
