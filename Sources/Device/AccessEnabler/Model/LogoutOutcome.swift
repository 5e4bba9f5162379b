extension AccessEnabler {
    /// How a logout ended (access-enabler 4.5). The provider's session in the viewer's browser may live on.
    public struct LogoutOutcome: Sendable, Hashable {
        /// The sign-in came from the box's account (`VSA203`): without signing out in the settings of the system, the
        /// next start signs in again (access-enabler 9.8).
        public let requiresSystemSignOut: Bool
        /// Whether the store was cleared. `false` when it cannot be written, such as on a full disk: then the viewer is
        /// still signed in on this box, as far as the server allows.
        public let areTokensCleared: Bool
        /// Where the viewer's browser ends the session at the provider, on whatever screen that is (sdk-services 6); a web
        /// address of up to 8 kB. `nil` where nothing is left to do: the provider has no such page, was told by the server,
        /// or its page was handed to the application to open.
        public let providerLogoutURL: String?
    }
}
