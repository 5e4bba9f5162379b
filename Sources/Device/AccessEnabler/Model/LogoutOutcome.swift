extension AccessEnabler {
    /// How a logout ended (access-enabler 4.5). The provider's session in the viewer's browser may live on.
    public struct LogoutOutcome: Sendable, Hashable {
        /// The sign-in came from the box's account (`VSA203`): without signing out in the settings of the system, the
        /// next start signs in again (access-enabler 9.8).
        public let requiresSystemSignOut: Bool
        /// Whether the store was cleared. `false` when it cannot be written, such as on a full disk: then the viewer is
        /// still signed in on this box, as far as the server allows.
        public let areTokensCleared: Bool
    }
}
