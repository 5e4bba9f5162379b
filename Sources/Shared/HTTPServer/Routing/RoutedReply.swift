/// A handler's reply, and what has to be done to the answer.
struct RoutedReply: Sendable {
    let route: MatchedRoute
    let reply: HTTPReply
}

/// Which route a request took, without the request.
struct MatchedRoute: Sendable {
    let context: ResponseContext
    /// `nil` for the answers no route gives.
    let index: Int?
    private let group: RouteGroup

    init(request: HTTPRequest, route: Route?, group: RouteGroup) {
        self.context = ResponseContext(request, for: group)
        self.index = route?.index
        self.group = group
    }

    func decorated(_ response: HTTPResponse) -> HTTPResponse {
        self.group.decorate?(self.context, response) ?? response
    }
}
