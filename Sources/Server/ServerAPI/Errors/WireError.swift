package import Clientless
package import Entitlement
package import HTTPServer

/// An error as rest-v1 puts it on the wire: a status, a sentence, sometimes details (8.1), and a code for requestors
/// that opted in to one (8.3).
package struct WireError: Error, Hashable, Sendable {
    package let status: HTTPStatus
    package let message: String
    /// The text in XML in place of `message`, where the two differ.
    package let xmlMessage: String?
    /// The AuthZ family always has it in JSON, `null` when there is nothing to say. The AuthN family and code records
    /// do not have it: `nil`.
    package private(set) var details: JSONValue?
    let code: ErrorCode
    /// The OAuth error of a failed bearer call, in JSON only (7.6).
    package let oauthError: String?
    /// The value of `WWW-Authenticate`.
    package let challenge: String?
    /// Whole seconds for `Retry-After`.
    package let retryAfter: Int?
    /// For operators; never sent.
    private(set) var fault: SignatureFault?

    /// - Parameter code: `nil` is that of the status.
    package init(
        _ status: HTTPStatus, _ message: String, code: ErrorCode? = nil, xml: String? = nil,
        details: JSONValue? = nil, oauthError: String? = nil, challenge: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.message = message
        self.xmlMessage = xml
        self.details = details
        self.code = code ?? ErrorCode(status)
        self.oauthError = oauthError
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// The same error, and for operators which check failed.
    func because(_ fault: SignatureFault) -> WireError {
        var copy = self
        copy.fault = fault
        return copy
    }

    /// A parameter the caller left out, or left empty (8.2).
    package static func missing(_ parameter: String) -> WireError {
        WireError(.badRequest, "Required '\(parameter)' is not present", code: ErrorCode(missing: parameter))
    }

    package static func invalid(_ parameter: String) -> WireError {
        WireError(.badRequest, "Invalid \(parameter)", code: ErrorCode(invalid: parameter))
    }

    /// A resource that begins like a document and cannot be read as one (23).
    static let malformedResource = WireError(.badRequest, "Invalid resource", code: .malformedResource)

    package static let notFound = WireError(.notFound, "Not Found")
    /// `authenticate/{code}` and the code record (11.2, 13.5).
    static let codeNotFound = WireError(.notFound, "Not Found", code: .invalidRegistrationCode)
    /// `tokens/authn` spells the same differently in XML (14.3).
    package static let tokenNotFound = WireError(.notFound, "Not Found", code: .authenticationMissing, xml: "Not found")
    /// `tokens/usermetadata`: signed in, and nothing to tell (19).
    static let metadataNotFound = WireError(.notFound, "Not Found", code: .metadataNotFound)
    package static let forbidden = WireError(.forbidden, "Forbidden")
    /// `tokens/authn`, `authenticate/{code}`: the token is over.
    package static let gone = WireError(.gone, "Gone", code: .authenticationExpired)

    package static func tooManyRequests(retryAfter: Duration) -> WireError {
        let (seconds, rest) = retryAfter.components
        let whole = Int(clamping: rest > 0 ? seconds + 1 : seconds)
        return WireError(.tooManyRequests, "Too Many Requests", retryAfter: max(1, whole))
    }

    /// The same error as endpoints of `family` word it (8.1). All families word faults of the caller alike (7.5, 7.6).
    func worded(for family: EndpointFamily) -> WireError {
        guard family.hasDetails, self.status == .badRequest, self.oauthError == nil, self.details == nil
        else { return self }
        var copy = self
        copy.details = .null
        return copy
    }

    /// The error document (8.1, 8.3).
    package func document(_ style: ErrorStyle = nil) -> WireDocument {
        WireDocument(Self.root, Self.shape, (self, style))
    }
}

extension WireError {
    /// The form of the domain's refusal at an endpoint of `family`: the one place where status, words and code
    /// of every such error are chosen.
    package init(_ error: EntitlementError, at family: EndpointFamily = .authentication) {
        switch error.code {
        case .unknownRequestor: self = .invalid("requestor")
        case .unknownProvider: self = .invalid("mvpd")
        case .codeUnknown, .codeUsed, .codeDeclined, .loginUnknown: self = .codeNotFound
        case .notAuthenticated:
            self = .unauthenticated(.authenticationMissing, .preauthorizationAuthenticationMissing, at: family)
        case .authenticationExpired:
            self = .unauthenticated(.authenticationExpired, .preauthorizationAuthenticationExpired, at: family)
        case .authenticationRevoked:
            self = .unauthenticated(.authenticationInvalidated, .preauthorizationAuthenticationMissing, at: family)
        case .notAuthorized, .trialExhausted:
            self = .denied(error.denial, error.viewerMessage)
        // There is no decision to go by: `tokens/authz` says what became of it, elsewhere it is a refusal (15.2, 16).
        case .authorizationExpired where family == .storedAuthorization:
            self = WireError(.gone, "Gone", code: .authorizationExpired, details: .null)
        case .authorizationMissing where family == .storedAuthorization:
            self = WireError(.notFound, "Not Found", code: .authorizationNotFound, xml: "Not found", details: .null)
        case .authorizationMissing, .authorizationExpired:
            self = WireError(.forbidden, "User not authorized", code: .authorizationNotFound, details: .null)
        case .providerUnavailable:
            self = .denied(
                error.denial ?? .network(timeout: false), error.viewerMessage ?? "The TV provider could not be reached."
            )
        case .tooManyResources:
            self = WireError(.forbidden, "Too many resources", code: .tooManyResources, details: .null)
        case .platformRefused:
            self = WireError(.badRequest, "Invalid SAMLResponse", code: .platformRefused)
        case .tooManyAttempts: self = .tooManyRequests(retryAfter: error.retryAfter ?? .seconds(1))
        case .storeUnavailable:
            self = WireError(
                .serviceUnavailable, "Service Unavailable",
                code: family == .registrationCode ? .codeServiceUnavailable : .serviceUnavailable, retryAfter: 5)
        // The other faces alone meet these; whatever it is, it is the operator's business.
        case .foreignToken, .deviceMismatch, .passiveNotPossible, .internal:
            self = WireError(.internalServerError, "Internal Server Error")
        }
    }

    /// There is no sign-in: 412 where that is a precondition, 403 elsewhere (8.3, last lines). With 403 there is no member
    /// `details`: a client shows it where the member exists (15.1).
    private static func unauthenticated(
        _ code: ErrorCode, _ preauthorizationCode: ErrorCode, at family: EndpointFamily
    ) -> WireError {
        WireError(
            family.isPreconditioned ? .preconditionFailed : .forbidden, "User not authenticated",
            code: family == .preauthorization ? preauthorizationCode : code,
            details: family.hasDetails && family.isPreconditioned ? .null : nil)
    }

    /// A resource is refused (15.1).
    private static func denied(_ denial: Denial?, _ sentence: String?) -> WireError {
        WireError(
            .forbidden, "User not authorized", code: ErrorCode(denial), details: sentence.map { .string($0) } ?? .null)
    }
}

// Error documents (rest-v1 7.6, 8.1, 8.3).
extension WireError {
    private static let oauthErrors = JSONSchema.choice("invalid_request", "access_denied", "invalid_client")
        .described("The fault of the bearer token.")
    private static let sentence = JSONSchema.text().described("A sentence for people.")

    fileprivate static let root: XMLName = "error"

    /// Every member that an error can have. The kinds of error have some of them.
    static let shape = Shape<(error: WireError, style: ErrorStyle)>(
        .init(
            "action", optional: { $0.style == nil ? nil : $0.error.code.action.rawValue },
            .choice(of: ErrorAction.allCases.map(\.rawValue)).described("The remedy.")),
        .init("status", \.error.status.code, .integer(400...599).described("The status of the answer.")),
        .init(
            "code", optional: { $0.style == nil ? nil : $0.error.code.rawValue },
            .choice(of: ErrorCode.allCases.map(\.rawValue)).described("The kind of error, for programs.")),
        .init("message", \.error.message, sentence).inJSON,
        .init("message", { $0.error.xmlMessage ?? $0.error.message }, sentence).inXML,
        .init(
            "details", optional: \.error.details,
            .text().described("The words of the provider or the programmer.").orNull),
        .init(
            "helpUrl", optional: \.style?.help,
            .text(format: "uri").described("Explains the codes.")),
        .init(
            "trace", optional: \.style?.trace.description,
            .text(format: "uuid").described("Names this answer.")),
        .init("error", optional: \.error.oauthError, oauthErrors).inJSON)

    fileprivate static let schemas: APIDescription.NamedSchemas = [
        "Error": shape.schema(.json, ["status", "message"], optional: ["error"]),
        "DetailedError": shape.schema(.json, ["status", "message", "details"]),
        "EnhancedError": shape.schema(
            .json, ["action", "status", "code", "message", "helpUrl", "trace"], optional: ["details", "error"]
        ).described("For requestors that opted in."),
        "ErrorDocument": shape.schema(.xml).element("error").described("Both kinds of error in XML."),
    ]
}

extension APIDescription {
    typealias NamedSchemas = KeyValuePairs<String, JSONSchema>

    /// Every schema of the components, in the order of the description.
    static let schemas =
        ([WireError.schemas] + errorsByStatus + [
            registrationSchemas, CodeDocument.schemas, ConfigurationDocuments.schemas, TokenDocuments.schemas,
            ReleasedMetadata.schemas, SDKAnswer.schemas, DegradationDocument.schemas, ReportDocument.schemas,
        ]).flatMap(\.self)

    private static let registrationSchemas: NamedSchemas = [
        "Client": ClientRegistration.clientSchema, "BoxConfiguration": ClientRegistration.boxSchema,
        "AccessToken": OAuth.tokenSchema,
    ]

    /// Every error document once more for each status that it repeats.
    private static let errorsByStatus: [NamedSchemas] =
        [400, 401, 403, 404, 405, 409, 410, 412, 413, 429, 500, 502, 503].map { status in
            let member = JSONSchema.members([.required("status", .constant(.integer(Int64(status))))])
            func either(_ names: String...) -> JSONSchema {
                .all(of: .any(of: (names + ["EnhancedError"]).map { .named($0) }), member)
            }
            return [
                "Error\(status)": either("Error"), "DetailedError\(status)": either("DetailedError"),
                "AnyError\(status)": either("Error", "DetailedError"),
                "ErrorDocument\(status)": .all(of: .named("ErrorDocument"), member).element("error"),
            ]
        }
}
