/// A handler's reply together with what has to be done to the answer.
struct RoutedReply: Sendable {
    let context: ResponseContext
    let routeIndex: Int?
    let group: RouteGroup
    let reply: HTTPReply

    init(request: HTTPRequest, route: Route?, group: RouteGroup) {
        self.init(
            context: ResponseContext(request), routeIndex: route?.index, group: group, reply: .now(HTTPResponse()))
    }

    private init(context: ResponseContext, routeIndex: Int?, group: RouteGroup, reply: HTTPReply) {
        self.context = context
        self.routeIndex = routeIndex
        self.group = group
        self.reply = reply
    }

    func answered(_ reply: HTTPReply) -> RoutedReply {
        RoutedReply(context: self.context, routeIndex: self.routeIndex, group: self.group, reply: reply)
    }

    func decorated(_ response: HTTPResponse) -> HTTPResponse {
        self.group.decorate?(self.context, response) ?? response
    }
}
