import HTTPServer

/// Where an endpoint's calls name their requestor (rest-v1 4).
enum RequestorPlace: Sendable {
    /// `requestor`, or `requestor_id`; a credential that stands for one requestor settles it as well.
    case parameter
    /// The same, for calls that do without where neither settles it.
    case optionalParameter
    /// The variable `requestor` of the route.
    case path
    /// Nowhere: the endpoint is about none, or finds it among its own fields.
    case nowhere

    /// The name, before anything about the call is proven.
    func name(in request: HTTPRequest, _ parameters: HTTPParameters) -> String? {
        switch self {
        case .parameter, .optionalParameter: Call.requestorName(in: parameters)
        case .path: request.segment("requestor")
        case .nowhere: nil
        }
    }

    /// What the call says of its requestor, for the authenticator to settle.
    func claim(in request: HTTPRequest, _ parameters: HTTPParameters) -> RequestorClaim {
        let name = self.name(in: request, parameters)
        return switch self {
        case .parameter: .parameter(name)
        case .optionalParameter, .nowhere: .parameter(name, orElse: .optional)
        case .path: .named(name ?? "")
        }
    }
}
