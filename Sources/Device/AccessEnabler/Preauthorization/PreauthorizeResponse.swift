import Clientless

/// The answer to a ``PreauthorizeRequest`` (access-enabler 14.3).
public struct PreauthorizeResponse: Sendable, Hashable {
    /// A failure of the whole request, or of one resource.
    public struct Status: Sendable, Hashable {
        /// The HTTP status; 0 when the library itself says so.
        public let status: Int
        /// The kind of problem, such as `network_error` or `authentication_session_missing`.
        public let code: String
        /// A sentence about the failure, for developers.
        public let message: String
        /// The provider's own words, where it sent some.
        public let details: String?
        /// The address of a page that explains it.
        public let helpUrl: String?
        /// The identifier that the operator of the server finds this answer by.
        public let trace: String?
        /// `none`, `configuration`, `application-registration`, `authentication`, `authorization`, `degradation`,
        /// `retry` or `retry-after`.
        public let action: String

        /// A status, such as a test or a preview shows.
        public init(
            status: Int, code: String, message: String, details: String? = nil, helpUrl: String? = nil,
            trace: String? = nil, action: String
        ) {
            self.status = status
            self.code = code
            self.message = message
            self.details = details
            self.helpUrl = helpUrl
            self.trace = trace
            self.action = action
        }
    }

    /// The provider's decision about one resource.
    public struct Decision: Sendable, Hashable {
        /// The resource that was asked about.
        public package(set) var id: String
        /// Whether it may be watched; good for a symbol in a list, never for starting a stream.
        public let authorized: Bool
        /// Only where enhanced error reporting is enabled for the integration.
        public let error: Status?

        /// A decision, such as a test or a preview shows.
        public init(id: String, authorized: Bool, error: Status? = nil) {
            self.id = id
            self.authorized = authorized
            self.error = error
        }
    }

    /// `nil` when the request was served.
    public let status: Status?
    /// One for each resource, in the order of the request; empty with an error.
    public let decisions: [Decision]
    /// Why there are no decisions; `nil` if there are.
    package var cause: EntitlementError?

    /// An answer, such as a test or a preview shows.
    public init(status: Status? = nil, decisions: [Decision] = []) {
        self.status = status
        self.decisions = decisions
    }
}

extension PreauthorizeResponse.Status {
    /// Reads one of a server; `nil` for anything but an object.
    init?(_ json: JSONValue) {
        guard case .object = json else { return nil }
        func text(_ name: String) -> String? { json[name]?.string }
        self.init(
            status: Int(json["status"]?.integer ?? 0), code: text("code") ?? "", message: text("message") ?? "",
            details: text("details"), helpUrl: text("helpUrl"), trace: text("trace"), action: text("action") ?? "none")
    }
}

/// Takes the answer to a question (access-enabler 14.3).
public struct AccessEnablerCallback<Result: Sendable>: Sendable {
    /// The request was served: with decisions, or with an error of the service.
    public let onResponse: @Sendable (Result) -> Void
    /// The library could not serve it.
    public let onFailure: @Sendable (Result) -> Void

    /// A pair of closures, of which one is called, once, through the ``AccessEnabler/CallbackDispatcher``.
    public init(onResponse: @escaping @Sendable (Result) -> Void, onFailure: @escaping @Sendable (Result) -> Void) {
        self.onResponse = onResponse
        self.onFailure = onFailure
    }
}
