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
