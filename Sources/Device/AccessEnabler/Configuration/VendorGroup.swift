extension AccessEnabler {
    /// A vendor's identity on a box (access-enabler 11.7): its applications share a store.
    ///
    /// The system says which users may share: the members of ``unixGroup`` and no others. An application itself
    /// says to which group it belongs.
    public struct VendorGroup: Sendable, Hashable {
        /// The vendor; applications of one share a store.
        public let identifier: String
        /// Applications of one scope have the same device ID; those of two never touch each other's sign-ins.
        public let deviceScope: String
        /// The Unix group whose members share the store; `nil` when the applications all run as one user.
        public let unixGroup: String?

        /// The vendor's identity, in the application's own words.
        public init(identifier: String, deviceScope: String, unixGroup: String? = nil) {
            self.identifier = identifier
            self.deviceScope = deviceScope
            self.unixGroup = unixGroup
        }
    }
}
