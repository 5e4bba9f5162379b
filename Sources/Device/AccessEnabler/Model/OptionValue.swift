extension AccessEnabler {
    /// A value for ``AccessEnabler/setOptions(_:)`` (access-enabler 4.5).
    public enum OptionValue: Sendable, Hashable {
        /// A text.
        case string(String)
        /// A flag.
        case bool(Bool)
        /// Removes the option.
        case null
    }
}

extension AccessEnabler.OptionValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    /// A text, written as one.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A flag, written as one.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// ``null``, written as `nil`.
    public init(nilLiteral: ()) { self = .null }
}

extension AccessEnabler {
    /// The option keys the library knows (access-enabler 3.8, 7.3); others are sent as they are.
    public enum OptionKey {
        /// Lets the server choose configuration by this value.
        public static let applicationProfile = "applicationProfile"
        /// The analytics ID of the visitor.
        public static let visitorID = "visitorID"
        /// Whether the application presents the secure browser itself; stays on the client.
        public static let handleSVC = "handleSVC"
        /// Client information, Base64 of JSON, in place of the built-in one.
        public static let deviceInfo = "device_info"
    }
}
