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

    public init(production: URL, staging: URL? = nil, profile: Profile = .production) {
        self.production = production
        self.staging = staging
        self.profile = profile
    }

    /// An environment of one URL.
    public static func custom(_ url: URL) -> Environment {
        Environment(production: url)
    }

    /// The URL in use, without a slash at its end.
    package var base: String {
        let url = self.profile == .staging ? self.staging ?? self.production : self.production
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
