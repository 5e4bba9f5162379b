/// A handler's reply, and what has to be done to the answer.
struct RoutedReply: Sendable {
    let route: MatchedRoute
    let reply: HTTPReply
}

/// Which route a request took, without the request. It is copied with every request, so it refers to what it can.
struct MatchedRoute: Sendable {
    let id: RequestID
    let method: HTTPMethod
    private let origin: String?
    /// `nil` for the answers no route gives.
    private let route: Route?
    /// Of those.
    private let groupOutsideOfRoutes: RouteGroup?

    init(_ request: HTTPRequest, _ route: Route) {
        self.init(request, route, nil)
    }

    init(_ request: HTTPRequest, outsideOfRoutes group: RouteGroup) {
        self.init(request, nil, group)
    }

    private init(_ request: HTTPRequest, _ route: Route?, _ group: RouteGroup?) {
        self.id = request.id
        self.method = request.method
        self.route = route
        self.groupOutsideOfRoutes = group
        // Without a decoration nothing is gathered that costs.
        let decorates = (route?.group ?? group)?.decorate != nil
        self.origin = decorates ? request.headers["Origin"].flatMap { $0.utf8.count <= 256 ? $0 : nil } : nil
    }

    /// Counts routes; `nil` for the answers no route gives.
    var index: Int? { self.route?.index }

    func decorated(_ response: HTTPResponse) -> HTTPResponse {
        guard let decorate = (self.route?.group ?? self.groupOutsideOfRoutes)?.decorate else { return response }
        let context = ResponseContext(
            id: self.id, method: self.method, origin: self.origin, routeName: self.route?.name)
        return decorate(context, response)
    }
}
