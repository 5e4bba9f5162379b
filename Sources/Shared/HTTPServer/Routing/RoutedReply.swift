/// A handler's reply, and what has to be done to the answer.
struct RoutedReply: Sendable {
    let route: MatchedRoute
    let reply: HTTPReply
}

/// Which route a request took, without the request: what a held request keeps, and a decoration may use.
package final class MatchedRoute: Sendable {
    package let id: RequestID
    let method: HTTPMethod
    /// The number under which the route is counted; 0 for the answers no route gives.
    let label: Int
    /// The name of the route; `nil` for the answers no route gives: 404, 405, preflight.
    package let name: String?
    /// The request's `Origin`, for cross-origin headers; at most 256 bytes, else `nil`.
    package let origin: String?
    private let decorate: RouteGroup.Decoration?

    convenience init(_ request: HTTPRequest, _ route: Route, label: Int) {
        self.init(request, route.name, route.group.decorate, label: label)
    }

    convenience init(_ request: HTTPRequest, outsideOfRoutes group: RouteGroup) {
        self.init(request, nil, group.decorate, label: 0)
    }

    private init(_ request: HTTPRequest, _ name: String?, _ decorate: RouteGroup.Decoration?, label: Int) {
        self.id = request.id
        self.method = request.method
        self.label = label
        self.name = name
        self.decorate = decorate
        // Without a decoration nothing is gathered that costs.
        let origin = decorate == nil ? nil : request.headers["Origin"]
        self.origin = origin.flatMap { $0.utf8.count <= 256 ? $0 : nil }
    }

    func decorated(_ response: consuming HTTPResponse) -> HTTPResponse {
        self.decorate?(self, &response)
        return response
    }
}
