import Entitlement
package import HTTPServer

/// The name of an error for programs (rest-v1 8.3). Only those this server sends.
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case badRequest = "bad_request"
    case invalidRequestor = "invalid_requestor"
    case invalidDeviceID = "invalid_device_id"
    case invalidDomain = "invalid_domain"
    case invalidParameterValue = "invalid_parameter_value"
    case invalidResourceValue = "invalid_resource_value"
    case missingResource = "missing_resource"
    case malformedResource = "malformed_authz_request"
    case unknownIntegration = "unknown_integration"
    case tooManyResources = "too_many_resources"

    case missingCredential = "missing_authentication_header"
    case invalidHeader = "invalid_header"
    case invalidClientTime = "invalid_client_time"
    case accessTokenExpired = "access_token_expired"
    case invalidAccessToken = "invalid_access_token_signature"
    case invalidClientID = "invalid_client_id"
    case unknownApplication = "unknown_application"

    case authenticationMissing = "authentication_session_missing"
    case authenticationExpired = "authentication_session_expired"
    case authenticationInvalidated = "authentication_session_invalidated"
    case preauthorizationAuthenticationMissing = "preauthorization_authentication_session_missing"
    case preauthorizationAuthenticationExpired = "preauthorization_authentication_session_expired"
    case platformRefused = "authentication_session_issuer_mismatch"
    case invalidRegistrationCode = "invalid_registration_code"

    case deniedByProvider = "authorization_denied_by_mvpd"
    case deniedByProgrammer = "authorization_denied_by_programmer"
    case deniedByParentalControls = "authorization_denied_by_parental_controls"
    case authorizationNotFound = "authorization_not_found"
    case authorizationExpired = "authorization_expired"
    /// Not of the published list, which has no code for a viewer of whom nothing is known.
    case metadataNotFound = "user_metadata_not_found"

    case networkError = "network_received_error"
    case networkTimeout = "network_connection_timeout"
    case tooManyRequests = "too_many_requests"
    case invalidMethod = "invalid_http_method"
    case internalError = "internal_error"
    case codeServiceUnavailable = "registration_code_service_unavailable"
    case serviceUnavailable = "service_unavailable"

    var action: ErrorAction {
        switch self {
        case .badRequest, .invalidRequestor, .invalidDeviceID, .invalidDomain, .invalidParameterValue,
            .invalidResourceValue, .missingResource, .malformedResource, .missingCredential, .invalidHeader,
            .invalidClientTime, .invalidRegistrationCode, .deniedByProvider, .deniedByProgrammer,
            .deniedByParentalControls, .metadataNotFound, .invalidMethod, .internalError:
            .none
        case .unknownIntegration, .tooManyResources: .configuration
        case .accessTokenExpired, .invalidAccessToken, .invalidClientID, .unknownApplication: .applicationRegistration
        case .authenticationMissing, .authenticationExpired, .authenticationInvalidated,
            .preauthorizationAuthenticationMissing, .preauthorizationAuthenticationExpired, .platformRefused:
            .authentication
        case .authorizationNotFound, .authorizationExpired: .authorization
        case .networkError, .networkTimeout, .codeServiceUnavailable, .serviceUnavailable: .retry
        case .tooManyRequests: .retryAfter
        }
    }

    /// Its meaning, for the reader of the help page.
    var explanation: String {
        switch self {
        case .badRequest: "A parameter is missing, or two of them contradict each other; the message names it."
        case .invalidRequestor: "The service does not know the requestor, or the credential may not speak for it."
        case .invalidDeviceID: "The device ID is missing, longer than 512 bytes, or holds control characters."
        case .invalidDomain: "The domain, or the address to return to, is not registered for the requestor."
        case .invalidParameterValue: "The value of a parameter cannot be used; the message names it."
        case .invalidResourceValue: "The resource is empty, too long, or not UTF-8."
        case .missingResource: "The call names no resource."
        case .malformedResource: "The resource begins like a media RSS document and is not one with a channel title."
        case .unknownIntegration: "The TV provider is not set up for the requestor, or not in this way."
        case .tooManyResources: "The call asks about more resources than the requestor may ask about at once."
        case .missingCredential: "The call says in no way who makes it."
        case .invalidHeader: "The signed header is malformed, of an unknown key, badly signed, or was used before."
        case .invalidClientTime: "The clock of the device is wrong; the Date header of any answer has the right time."
        case .accessTokenExpired: "The access token is over."
        case .invalidAccessToken: "The access token is not one of this service."
        case .invalidClientID: "The client of the access token is not registered, or not for this requestor or call."
        case .unknownApplication: "The application of the client is no longer permitted."
        case .authenticationMissing: "No viewer is signed in on this device, as far as the requestor may know."
        case .authenticationExpired: "The sign-in of this device is over."
        case .authenticationInvalidated: "The sign-in of this device was revoked."
        case .preauthorizationAuthenticationMissing: "No viewer is signed in whose package could be looked at."
        case .preauthorizationAuthenticationExpired: "The sign-in whose package was to be looked at is over."
        case .platformRefused: "The answer of the device's TV provider account could not be accepted."
        case .invalidRegistrationCode: "The registration code is unknown, over, or no viewer has signed in with it yet."
        case .deniedByProvider: "The TV provider does not permit the resource; the details may say why."
        case .deniedByProgrammer: "The programmer does not permit the resource at this time; the details may say why."
        case .deniedByParentalControls: "The viewer's parental controls do not permit the resource."
        case .authorizationNotFound: "There is no current decision that permits the resource."
        case .authorizationExpired: "The decision that permitted the resource is over."
        case .metadataNotFound: "The server knows no fact about the viewer that the requestor may get."
        case .networkError: "The TV provider did not answer in a usable way."
        case .networkTimeout: "The TV provider did not answer in time."
        case .tooManyRequests: "The device, or its address, calls too often."
        case .invalidMethod: "The endpoint does not take this method; the Allow header lists those it takes."
        case .internalError: "The service has a fault; the trace helps its operator to find it."
        case .codeServiceUnavailable: "Registration codes cannot be made or read just now."
        case .serviceUnavailable: "The service cannot reach its storage just now."
        }
    }
}

/// How much an error says: `nil` is what old clients expect, else more where the requestor opted in (rest-v1 8.1, 8.3).
/// - `help`: the page that explains the codes.
/// - `trace`: names this answer, and is the request's own id: who reads one finds the other in the log.
package typealias ErrorStyle = (help: String, trace: RequestID)?

/// The client's next action about an error (rest-v1 8.3).
enum ErrorAction: String, Hashable, Sendable, CaseIterable {
    case none
    case configuration
    case applicationRegistration = "application-registration"
    case authentication
    case authorization
    case retry
    case retryAfter = "retry-after"

    var advice: String {
        switch self {
        case .none: "Nothing in the program can change the answer. Tell the viewer."
        case .configuration: "The operator of the service or the programmer has to change a setting."
        case .applicationRegistration: "Get a new access token, or register again, and repeat the call."
        case .authentication: "Let the viewer sign in again."
        case .authorization: "Authorize the resource, and repeat the call."
        case .retry: "Repeat the call later, a few times at most."
        case .retryAfter: "Wait as long as the Retry-After header says, and repeat the call."
        }
    }
}

/// The subject of an endpoint, as far as its errors differ from those of others (rest-v1 8.1, 8.3, 11–21).
package enum EndpointFamily: Hashable, Sendable {
    /// Registration codes (11).
    case registrationCode
    /// Sign-in, logout, platform SSO (13, 14, 18, 20.2, 21).
    case authentication
    /// `authorize` (15.1).
    case authorization
    /// `tokens/authz` (15.2).
    case storedAuthorization
    /// `tokens/media`, `mediatoken` (16).
    case mediaToken
    /// Both forms of `preauthorize` (17).
    case preauthorization
    /// `tokens/usermetadata` (19).
    case metadata

    /// Whether errors always carry `details` in JSON, `null` when there is nothing to say (8.1).
    var hasDetails: Bool {
        switch self {
        case .registrationCode, .authentication, .metadata: false
        case .authorization, .storedAuthorization, .mediaToken, .preauthorization: true
        }
    }

    /// Whether a missing sign-in is a condition the caller failed to meet; elsewhere it is a refusal (8.3, last lines).
    var isPreconditioned: Bool {
        switch self {
        case .storedAuthorization, .preauthorization, .metadata: true
        case .registrationCode, .authentication, .authorization, .mediaToken: false
        }
    }
}

// The codes of errors by their known facts: a parameter, a denial, or nothing but the status.
extension ErrorCode {
    init(missing parameter: String) {
        switch parameter {
        case "deviceId": self = .invalidDeviceID
        case "resource": self = .missingResource
        default: self = .badRequest
        }
    }

    init(invalid parameter: String) {
        switch parameter {
        case "requestor", "requestor_id": self = .invalidRequestor
        case "deviceId": self = .invalidDeviceID
        case "resource": self = .invalidResourceValue
        case "mvpd", "mso_id": self = .unknownIntegration
        case "domain_name", "redirect_url": self = .invalidDomain
        case "reg_code": self = .invalidRegistrationCode
        default: self = .invalidParameterValue
        }
    }

    init(_ status: HTTPStatus) {
        switch status {
        case .unauthorized: self = .missingCredential
        // The one refusal without a reason of its own: a credential that may not speak for the requestor (7.5).
        case .forbidden: self = .invalidRequestor
        case .methodNotAllowed: self = .invalidMethod
        case .tooManyRequests: self = .tooManyRequests
        case .serviceUnavailable: self = .serviceUnavailable
        case let status where status.code >= 500: self = .internalError
        default: self = .badRequest
        }
    }

    /// The code for a refused resource, by who refused it (8.3).
    init(_ denial: Denial?) {
        switch denial {
        // A trial is a provider, too: its own rules say no.
        case .provider, .trial, nil: self = .deniedByProvider
        case .programmer: self = .deniedByProgrammer
        case .parentalControls: self = .deniedByParentalControls
        case .network(let timeout): self = timeout ? .networkTimeout : .networkError
        }
    }
}
