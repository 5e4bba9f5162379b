extension AccessEnabler {
    /// Addresses that end a navigation; neither can be loaded (access-enabler 3.3).
    public enum RedirectURL {
        /// Ends a normal navigation.
        public static let adobePass = "adobepass://ios.app"
    }
}
