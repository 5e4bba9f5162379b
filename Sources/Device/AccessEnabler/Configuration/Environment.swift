public import FoundationEssentials
import Cryptography

extension AccessEnabler {
    /// The deployment's own service provider URLs. There are no built-in hosts (access-enabler 2.4).
    public struct Environment: Sendable, Hashable {
        /// Which of the URLs is used.
        public enum Profile: Sendable, Hashable {
            /// ``AccessEnabler/Environment/production``.
            case production
            /// ``AccessEnabler/Environment/staging``.
            case staging
        }

        /// The server for viewers.
        public let production: URL
        /// The server for trying out changes, if there is one.
        public let staging: URL?
        /// Which of the two is used.
        public let profile: Profile
        /// Whether `http` is spoken beyond the box itself: for a trial at home, where every device of the network can
        /// read and change everything.
        public let allowsPlainHTTP: Bool

        /// An environment of two URLs.
        /// - Parameters:
        ///   - production: where viewers are served; `https`, or `http` on the box itself.
        ///   - staging: where changes are tried out.
        ///   - profile: which of the two is used; `production` serves for a missing `staging`.
        ///   - allowsPlainHTTP: see ``allowsPlainHTTP``.
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

        /// The URL in use, as a service provider; `nil` when it must not be contacted (access-enabler D-01).
        package var serviceProvider: ServiceProviderURL? {
            let url = self.profile == .staging ? self.staging ?? self.production : self.production
            return ServiceProviderURL(url.absoluteString, allowsPlainHTTP: self.allowsPlainHTTP)
        }
    }
}

/// The source of nonces and jitter.
package protocol Randomness: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

package struct SystemRandomness: Randomness {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}

extension Randomness {
    /// A number from 0 up to, but not including, 1.
    var unit: Double {
        let bits = self.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(bits) / 4_294_967_296
    }
}
