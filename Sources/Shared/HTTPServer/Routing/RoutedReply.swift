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
    private let origin: String?
    /// `nil` for the answers no route gives.
    private let route: Route?
    /// Of those.
    private let groupOutsideOfRoutes: RouteGroup?

    convenience init(_ request: HTTPRequest, _ route: Route, label: Int) {
        self.init(request, route, nil, label: label)
    }

    convenience init(_ request: HTTPRequest, outsideOfRoutes group: RouteGroup) {
        self.init(request, nil, group, label: 0)
    }

    private init(_ request: HTTPRequest, _ route: Route?, _ group: RouteGroup?, label: Int) {
        self.id = request.id
        self.method = request.method
        self.label = label
        self.route = route
        self.groupOutsideOfRoutes = group
        // Without a decoration nothing is gathered that costs.
        let decorates = (route?.group ?? group)?.decorate != nil
        self.origin = decorates ? request.headers["Origin"].flatMap { $0.utf8.count <= 256 ? $0 : nil } : nil
    }

    /// `nil` for the answers no route gives.
    var name: String? { self.route?.name }

    func decorated(_ response: consuming HTTPResponse) -> HTTPResponse {
        if let decorate = (self.route?.group ?? self.groupOutsideOfRoutes)?.decorate {
            let context = ResponseContext(
                id: self.id, method: self.method, origin: self.origin, routeName: self.route?.name)
            decorate(context, &response)
        }
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
