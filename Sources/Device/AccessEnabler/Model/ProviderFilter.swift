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
