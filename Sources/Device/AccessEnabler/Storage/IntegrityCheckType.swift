extension AccessEnabler {
    /// The check of the store when an ``AccessEnabler`` is made (access-enabler 11.11). A failing check clears
    /// everything, which signs out; so use it only when there is a reason.
    public enum IntegrityCheckType: Sendable, Hashable {
        /// No check. The default.
        case none
        /// The store can be written and read back, and every value has its format.
        case all
        /// No check: the store is cleared.
        case clear
    }
}
