/// A handler's reply, and what has to be done to the answer.
struct RoutedReply: Sendable {
    let route: MatchedRoute
    let reply: HTTPReply
}

/// Which route a request took, without the request.
final class MatchedRoute: Sendable {
    let id: RequestID
    let method: HTTPMethod
    /// The number under which the route is counted; 0 for the answers no route gives.
    let label: Int
    /// `nil` for the answers no route gives.
    let name: String?
    private let origin: String?
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
        self.decorate?(
            ResponseContext(id: self.id, method: self.method, origin: self.origin, routeName: self.name), &response)
        return response
    }
}

/// The facts of a request that a decoration may use. Small: it is made of the fields that a held request keeps.
package struct ResponseContext: Sendable {
    package let id: RequestID
    package let method: HTTPMethod
    /// The request's `Origin`, for cross-origin headers; at most 256 bytes, else `nil`.
    package let origin: String?
    /// The name of the route that matched; `nil` on 404, 405, preflight.
    package let routeName: String?
}
