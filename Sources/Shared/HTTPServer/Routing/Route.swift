/// A pattern, its name and what the methods on it do.
final class Route: Sendable {
    typealias Handler = @Sendable (HTTPRequest) -> HTTPReply

    let name: String
    /// Counts routes in the order they were added.
    let index: Int
    let methods: [HTTPMethod]
    let pattern: RoutePattern
    let group: RouteGroup
    /// Bytes of body the handler may get; `nil` where the server's own limit is enough.
    let bodyLimit: Int?
    let handler: Handler

    init(
        name: String, index: Int, methods: [HTTPMethod], pattern: RoutePattern, group: RouteGroup, bodyLimit: Int?,
        handler: @escaping Handler
    ) {
        self.name = name
        self.index = index
        self.methods = methods
        self.pattern = pattern
        self.group = group
        self.bodyLimit = bodyLimit
        self.handler = handler
    }
}
