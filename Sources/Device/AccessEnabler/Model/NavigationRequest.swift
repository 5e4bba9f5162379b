extension AccessEnabler {
    /// A page of the server to open in a browser (access-enabler 4.3); its end is told to
    /// ``AccessEnabler/handleExternalURL(_:)``.
    public struct NavigationRequest: Sendable, Hashable {
        /// The purpose of a page.
        public enum Purpose: Sendable {
            /// The viewer signs in at the provider.
            case authentication
            /// The provider's session is ended; the viewer has nothing to do.
            case logout
        }

        /// The page.
        public let url: String
        /// The purpose of the page.
        public let purpose: Purpose
        /// Whether the viewer has something to do there; false for a logout.
        public let isVisible: Bool
        /// The provider refuses embedded views: only the system's browser, in its own process, will do.
        public let secureBrowserRequired: Bool
        /// The redirect to wait for, and not to load.
        public let completionURLPrefix: String
    }

    /// Addresses that end a navigation; neither can be loaded (access-enabler 3.3).
    public enum RedirectURL {
        /// Ends a normal navigation.
        public static let adobePass = "adobepass://ios.app"
    }
}
