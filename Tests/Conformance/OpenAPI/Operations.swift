import HTTPServer

@testable import ServerAPI

extension APIDescription {
    /// Every operation, in the order of the description, as `GET /api/v1/authorize`, and every status it may answer with.
    static let operations: [(label: String, statuses: Set<Int>)] = endpoints.flatMap { endpoint in
        endpoint.calls.map { call in
            ("\(call.method.text) \(call.path)", Set(endpoint.answers(to: call).map(\.status)))
        }
    }
}
