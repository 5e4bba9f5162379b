extension AccessEnabler {
    /// Why there is no media token (access-enabler 4.5).
    public struct AuthorizationFailure: Error, Sendable, Hashable {
        /// The wish.
        public let resource: String
        /// A code of ``AccessEnablerError``.
        public let code: String
        /// A sentence for the viewer, the provider's own where it sent one; empty when there is none.
        public let description: String
        /// The failure on the way to the server or at the provider, for applications that put it into words of
        /// their own; `nil` for a plain refusal.
        public let cause: EntitlementError?
    }

    /// The configuration phase did not come to its end (access-enabler 6).
    public struct ConfigurationFailure: Error, Sendable, Hashable {
        /// The report that says why, such as `CFG404`.
        public let status: AdvancedStatus?
        /// The failure on the way to the server, for applications that put it into words of their own.
        public let cause: EntitlementError?
    }
}

extension AccessEnabler {
    /// How a question about the sign-in, or an attempt at one, ended (access-enabler 4.5).
    public enum AuthenticationOutcome: Sendable, Hashable {
        /// A viewer is signed in, at this provider.
        case authenticated(mvpdID: String)
        /// With a code of ``AccessEnablerError``.
        case notAuthenticated(code: String)
    }
}

extension AccessEnabler {
    /// How a logout ended (access-enabler 4.5). The provider's session in the viewer's browser may live on.
    public struct LogoutOutcome: Sendable, Hashable {
        /// The sign-in came from the box's account (`VSA203`): without signing out in the settings of the system, the
        /// next start signs in again (access-enabler 9.8).
        public let requiresSystemSignOut: Bool
        /// Whether the store was cleared. `false` when it cannot be written, such as on a full disk: then the viewer is
        /// still signed in on this box, as far as the server allows.
        public let areTokensCleared: Bool
        /// The page at which the viewer's browser ends the session at the provider, on whatever screen that is
        /// (sdk-services 6); a web address of up to 8 kB. `nil` if nothing is left to do: the provider has no such
        /// page, was told by the server, or its page was handed to the application to open.
        public let providerLogoutURL: String?
    }
}
