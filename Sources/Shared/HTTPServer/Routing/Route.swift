/// A pattern, its name and what the methods on it do.
final class Route: Sendable {
    typealias Handler = @Sendable (HTTPRequest) -> HTTPReply

    let name: String
    /// Counts routes in the order they were added.
    let index: Int
    let methods: [HTTPMethod]
    let pattern: RoutePattern
    let group: RouteGroup
    /// Bytes of body the handler may get; `nil` if the server's own limit is enough.
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

/// The handling that the routes of one face share. The server applies it to every reply, held ones included.
package struct RouteGroup: Sendable {
    package typealias Decoration = @Sendable (MatchedRoute, inout HTTPResponse) -> Void

    /// Looks at a request before its handler does; an answer here is the answer (a throttle's 429). Decorated as well.
    package var before: (@Sendable (HTTPRequest) -> HTTPResponse?)?
    /// Adds what every answer of the group carries (request id, cross-origin headers).
    package var decorate: Decoration?

    package init(before: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil, decorate: Decoration? = nil) {
        self.before = before
        self.decorate = decorate
    }
}

/// A path with variables: `/reggie/v1/{requestor}/regcode/{code}`.
struct RoutePattern: Sendable {
    enum Segment: Hashable, Sendable {
        case fixed([UInt8])
        case variable(String)
    }

    let text: String
    let segments: [Segment]
    let variables: [(name: String, position: Int)]

    /// A segment in braces is a variable; every other is compared byte for byte with the decoded segment of a path.
    init(_ text: String) {
        precondition(text.hasPrefix("/"), "A route pattern starts with a slash")
        precondition(!text.utf8.contains(UInt8(ascii: "%")), "A route pattern is written decoded")
        let segments = text.split(separator: "/").map { segment -> Segment in
            if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.utf8.count > 2 {
                .variable(String(segment.dropFirst().dropLast()))
            } else {
                .fixed(Array(segment.utf8))
            }
        }
        self.text = text
        self.segments = segments
        self.variables = segments.enumerated().compactMap { position, segment in
            if case .variable(let name) = segment { (name, position) } else { nil }
        }
    }

    /// Which segment of the path the variable stands for.
    func position(ofVariable name: String) -> Int? { self.variables.first { $0.name == name }?.position }
}
