public import FoundationEssentials

extension AccessEnabler {
    /// A value handed to, or given back with, ``AccessEnabler/getMetadata(_:)`` (access-enabler 4.5).
    public enum MetadataArgument: Sendable, Hashable {
        /// The kind of question: a value of ``AccessEnabler/MetadataOpcode``.
        case opcode(Int)
        /// A name or a resource.
        case text(String)
    }

    /// A question about metadata (access-enabler 13.1).
    public enum MetadataQuery: Sendable, Hashable {
        /// When the authentication token expires.
        case authenticationExpiry
        /// When the authorization token of a resource expires.
        case authorizationExpiry(resource: String)
        /// The device ID; nothing unless the operator of the server enabled it.
        case deviceID
        /// A fact that the provider states about the viewer, by name.
        case user(name: String)

        /// The dictionary of the original call.
        public var arguments: [String: MetadataArgument] {
            switch self {
            case .authenticationExpiry: [MetadataKey.opcode: .opcode(MetadataOpcode.authentication)]
            case .authorizationExpiry(let resource):
                [MetadataKey.opcode: .opcode(MetadataOpcode.authorization), MetadataKey.resourceID: .text(resource)]
            case .deviceID: [MetadataKey.opcode: .opcode(MetadataOpcode.deviceID)]
            case .user(let name):
                [MetadataKey.opcode: .opcode(MetadataOpcode.userMetadata), MetadataKey.userMeta: .text(name)]
            }
        }

        /// Reads the dictionary of the original call. `nil` without a known opcode, or without a value that this opcode
        /// needs.
        public init?(arguments: [String: MetadataArgument]) {
            guard case .opcode(let opcode) = arguments[MetadataKey.opcode] else { return nil }
            func text(_ key: String) -> String? {
                if case .text(let text) = arguments[key], !text.isEmpty { text } else { nil }
            }
            switch opcode {
            case MetadataOpcode.authentication: self = .authenticationExpiry
            case MetadataOpcode.authorization:
                guard let resource = text(MetadataKey.resourceID) else { return nil }
                self = .authorizationExpiry(resource: resource)
            case MetadataOpcode.deviceID: self = .deviceID
            case MetadataOpcode.userMetadata:
                guard let name = text(MetadataKey.userMeta) else { return nil }
                self = .user(name: name)
            default: return nil
            }
        }
    }

    /// Keys of the metadata dictionary (access-enabler 3.5).
    public enum MetadataKey {
        /// The kind of question.
        public static let opcode = "METADATA_OPCODE_KEY"
        /// The resource of a question about an authorization.
        public static let resourceID = "METADATA_RESOURCE_ID_KEY"
        /// The name of a question about the viewer.
        public static let userMeta = "METADATA_USER_META_KEY"
    }

    /// Opcodes of the metadata dictionary (access-enabler 3.5, D-06).
    public enum MetadataOpcode {
        /// When the authentication token expires.
        public static let authentication = 0
        /// When an authorization token expires.
        public static let authorization = 1
        /// The device ID.
        public static let deviceID = 2
        /// A fact about the viewer.
        public static let userMetadata = 3
    }

    /// A metadata value, shaped like JSON (access-enabler 13.2).
    public indirect enum MetadataValue: Sendable, Hashable {
        /// A text.
        case string(String)
        /// A number.
        case number(Double)
        /// A flag.
        case bool(Bool)
        /// A list.
        case array([MetadataValue])
        /// Names and values.
        case object([String: MetadataValue])
    }

    /// The answer to a ``AccessEnabler/MetadataQuery``.
    public struct MetadataResult: Sendable, Hashable {
        /// The value; `nil` when there is nothing to report (access-enabler D-39).
        public let value: MetadataValue?
        /// The value is encrypted for the programmer (access-enabler 13.4).
        public let isEncrypted: Bool
        /// The moment an expiry names.
        public let date: Date?
    }
}
