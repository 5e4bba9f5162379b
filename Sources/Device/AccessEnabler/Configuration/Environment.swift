public import FoundationEssentials

/// The deployment's own service provider URLs. There are no built-in hosts (access-enabler 2.4).
public struct Environment: Sendable, Hashable {
    /// Which of the URLs is used.
    public enum Profile: Sendable, Hashable {
        case production, staging
    }

    public let production: URL
    public let staging: URL?
    public let profile: Profile
    /// Whether `http` is spoken beyond the box itself: for a trial at home, where whoever is in the network could read
    /// and change everything.
    public let allowsPlainHTTP: Bool

    public init(
        production: URL, staging: URL? = nil, profile: Profile = .production, allowsPlainHTTP: Bool = false
    ) {
        self.production = production
        self.staging = staging
        self.profile = profile
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// An environment of one URL.
    public static func custom(_ url: URL, allowsPlainHTTP: Bool = false) -> Environment {
        Environment(production: url, allowsPlainHTTP: allowsPlainHTTP)
    }

    /// The URL in use, as a service provider; none when it must not be contacted (access-enabler D-01).
    package var serviceProvider: ServiceProviderURL? {
        let url = self.profile == .staging ? self.staging ?? self.production : self.production
        return ServiceProviderURL(url.absoluteString, allowsPlainHTTP: self.allowsPlainHTTP)
    }
}
