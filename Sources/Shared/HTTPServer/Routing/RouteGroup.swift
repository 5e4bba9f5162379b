/// The handling that the routes of one face share. The server applies it to every reply, held ones included.
package struct RouteGroup: Sendable {
    /// Looks at a request before its handler does; an answer here is the answer (a throttle's 429). Decorated as well.
    package var before: (@Sendable (HTTPRequest) -> HTTPResponse?)?
    /// Adds what every answer of the group carries (request id, cross-origin headers).
    package var decorate: (@Sendable (ResponseContext, HTTPResponse) -> HTTPResponse)?

    package init(
        before: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil,
        decorate: (@Sendable (ResponseContext, HTTPResponse) -> HTTPResponse)? = nil
    ) {
        self.before = before
        self.decorate = decorate
    }

    /// Routes that share nothing.
    package static let plain = RouteGroup()
}
