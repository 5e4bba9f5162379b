/// A TV provider of the requestor, as a picker shows it (access-enabler 4.1).
public struct MVPD: Sendable, Hashable, Identifiable {
    /// How far platform SSO goes with a provider (access-enabler 3.9).
    public enum BoardingStatus: String, Sendable {
        /// Listed in the platform's picker; the login runs through the server.
        case picker = "PICKER"
        /// The platform's own sign-in is used.
        case supported = "SUPPORTED"
    }

    /// The provider's identifier, for ``AccessEnabler/setSelectedProvider(_:)``.
    public let id: String
    /// The name that viewers know it by.
    public let displayName: String
    /// The address of its logo.
    public let logoURL: String
    /// Whether it takes part in platform SSO for this requestor.
    public let enablePlatformServices: Bool
    /// `nil` when the provider does not support platform SSO.
    public let boardingStatus: BoardingStatus?

    /// A provider, such as a test or a preview shows.
    public init(
        id: String, displayName: String, logoURL: String = "", enablePlatformServices: Bool = false,
        boardingStatus: BoardingStatus? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.logoURL = logoURL
        self.enablePlatformServices = enablePlatformServices
        self.boardingStatus = boardingStatus
    }
}

extension AccessEnabler {
    /// Which providers the platform's dialog shows (access-enabler 7.7). Those without support for platform SSO are
    /// left out; the order given is kept.
    public enum ProviderFilter: Sendable, Hashable {
        /// All of these, none of them featured.
        case list([String])
        /// All of these, and those to highlight; a featured one that is not among all is not featured.
        case featured(all: [String], featured: [String])

        /// The dictionary form. `nil`, which is no filter, without ``tvProviders`` (access-enabler D-51).
        public init?(dictionary: [String: [String]]) {
            guard let all = dictionary[Self.tvProviders] else { return nil }
            self = .featured(all: all, featured: dictionary[Self.featuredTVProviders] ?? [])
        }

        /// The key of all providers to show.
        public static let tvProviders = "TV_PROVIDERS"
        /// The key of the providers to highlight.
        public static let featuredTVProviders = "FEATURED_TV_PROVIDERS"
    }
}
