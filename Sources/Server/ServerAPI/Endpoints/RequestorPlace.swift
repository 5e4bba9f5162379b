import HTTPServer

/// The place where an endpoint's calls name their requestor (rest-v1 4).
enum RequestorPlace: Sendable {
    /// `requestor`, or `requestor_id`; a credential that stands for one requestor settles it as well.
    case parameter
    /// The same, for calls that do without where neither settles it.
    case optionalParameter
    /// The variable `requestor` of the route.
    case path
    /// Nowhere: the endpoint is about no requestor, or finds it among its own fields.
    case nowhere

    /// The name, before anything about the call is proven.
    func name(in request: HTTPRequest, _ parameters: HTTPParameters) -> String? {
        switch self {
        case .parameter, .optionalParameter: Call.requestorName(in: parameters)
        case .path: request.segment("requestor")
        case .nowhere: nil
        }
    }

    /// The call's word on its requestor, for the authenticator to settle.
    func claim(in request: HTTPRequest, _ parameters: HTTPParameters) -> RequestorClaim {
        let name = self.name(in: request, parameters)
        return switch self {
        case .parameter: .parameter(name)
        case .optionalParameter, .nowhere: .parameter(name, orElse: .optional)
        case .path: .named(name ?? "")
        }
    }
}

/// Which requestor a call says it is for (rest-v1 4).
enum RequestorClaim {
    /// Named in path or parameter; not yet checked.
    case named(String)
    /// Not named: the credential has to settle it.
    case open
    /// Not named, and not needed when the credential does not settle it.
    case optional

    /// The name, unless it is empty.
    static func parameter(_ value: String?, orElse absent: RequestorClaim = .open) -> RequestorClaim {
        guard let value, !value.isEmpty else { return absent }
        return .named(value)
    }
}
