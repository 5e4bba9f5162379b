extension AccessEnabler {
    /// The events of ``EntitlementDelegate/sendTrackingData(_:forEventType:)`` (access-enabler 3.6, D-06).
    public enum TrackingEvent {
        /// `authenticationDetection`: seven entries.
        public static let authentication = 0
        /// `authorizationDetection`: nine entries.
        public static let authorization = 1
        /// `mvpdSelection`: four entries.
        public static let selectedProvider = 2
    }
}
