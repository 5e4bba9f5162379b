import HTTPServer

/// Where an endpoint's calls name their requestor (rest-v1 4).
enum RequestorPlace: Sendable {
    /// `requestor`, or `requestor_id`.
    case parameter
    /// The variable `requestor` of the route.
    case path

    func name(in request: HTTPRequest) -> String? {
        switch self {
        case .parameter: Call.requestorName(in: request.parameters)
        case .path: request.segment("requestor")
        }
    }
}
