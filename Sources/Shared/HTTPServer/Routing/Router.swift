/// Finds the handler of a request, and answers if there is no handler.
///
/// A fixed segment wins over a variable. `HEAD` is answered by the handler of `GET`, without the body. `OPTIONS` is
/// answered on every path. A known path with another method is 405 with `Allow`; everything else is 404.
package struct Router: Sendable {
    /// In the order they were added.
    private(set) var routes: [Route] = []

    /// Answers `OPTIONS` on every path; its default is a bare 204.
    package var preflight: @Sendable (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: .noContent) }

    /// Words the answers that no route gives: 404, 405 (the router adds `Allow`), 400 for a request whose length cannot
    /// be told, 413, and 503 where too many requests are held.
    package var fallback: @Sendable (HTTPRequest, HTTPStatus) -> HTTPResponse = { _, status in
        .text("\(status.reason)\n", status: status)
    }

    package var fallbackGroup = RouteGroup()

    package var normaliser = PathNormaliser.identity

    package init() {}

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - path: segments in braces are variables, read with `HTTPRequest.segment`.
    ///   - name: names the route in logs and counters; several routes may share one.
    ///   - bodyLimit: bytes of body its handler may get: a longer one is 413 and ends the connection; `nil` if the
    ///     server's own limit is enough, which is the upper bound of all.
    package mutating func on(
        _ methods: HTTPMethod..., path: String, name: String, group: RouteGroup = RouteGroup(), bodyLimit: Int? = nil,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPReply
    ) {
        self.routes.append(
            Route(
                name: name, index: self.routes.count, methods: methods, pattern: RoutePattern(path), group: group,
                bodyLimit: bodyLimit, handler: handler))
    }
}
