import Entitlement
import HTTPServer

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
