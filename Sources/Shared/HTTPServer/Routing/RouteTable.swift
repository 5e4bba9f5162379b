import TextCoding

/// The routes of a router that is complete, as a server searches them.
///
/// A class made of classes: a search through values would copy them on its way, and count the references of all that
/// is below, forty of them with every request.
final class RouteTable: Sendable {
    private let root: RouteBranch
    let router: Router
    /// The number under which each route is counted, by the index of the route.
    private let labels: [Int]

    /// - Parameter label: the number under which the routes of a name are counted.
    init(_ router: Router, label: (String) -> Int) {
        self.router = router
        self.labels = router.routes.map { label($0.name) }
        self.root = RouteBranch(router.routes.map { ($0, $0.pattern.segments[...]) })
    }

    /// Bytes of body that a request of this target may have, as its route says; `nil` if only the server's own limit
    /// counts.
    func bodyLimit(_ method: HTTPMethod, target: [UInt8]) -> Int? {
        let path = self.router.normaliser.path(ofTarget: target.prefix { $0 != UInt8(ascii: "?") }).bytes
        return self.root.branch(for: path.span, from: 0)?.route(for: method)?.bodyLimit
    }

    /// Finds the route of `request` and lets its handler reply. The answer is not decorated yet.
    func dispatch(_ request: HTTPRequest) -> RoutedReply {
        if request.method == .options { return self.unrouted(request, self.router.preflight(request)) }
        let path = request.pathBytes
        guard let branch = self.root.branch(for: path.span, from: 0) else { return self.refusal(request, .notFound) }
        guard let route = branch.route(for: request.method) else {
            let answer = self.router.fallback(request, .methodNotAllowed).setting("Allow", branch.allow)
            return self.unrouted(request, answer)
        }
        let routed = request.routed(to: route)
        let matched = MatchedRoute(routed, route, label: self.labels[route.index])
        if let answer = route.group.before?(routed) { return RoutedReply(route: matched, reply: .now(answer)) }
        return RoutedReply(route: matched, reply: route.handler(routed))
    }

    /// The answer to a request that gets no route's.
    func refusal(_ request: HTTPRequest, _ status: HTTPStatus) -> RoutedReply {
        self.unrouted(request, self.router.fallback(request, status))
    }

    private func unrouted(_ request: HTTPRequest, _ response: HTTPResponse) -> RoutedReply {
        RoutedReply(route: MatchedRoute(request, outsideOfRoutes: self.router.fallbackGroup), reply: .now(response))
    }
}

/// A segment of the tree of routes, with all that follows it.
private final class RouteBranch: Sendable {
    /// The routes that end here, by method.
    private let ended: [(method: HTTPMethod, route: Route)]
    /// The names of the fixed segments, one after another: an array of arrays would count references for each.
    private let names: [UInt8]
    private let ends: [Int]
    /// The mark of each: few names are compared byte by byte.
    private let marks: [Int]
    /// The branches behind each.
    private let fixed: [RouteBranch]
    private let variable: RouteBranch?

    /// Routes that begin alike, each with the segments that are left of its pattern.
    typealias Rest = [(route: Route, segments: ArraySlice<RoutePattern.Segment>)]

    init(_ routes: Rest) {
        var (ended, fixed, variable): ([Route], [(name: [UInt8], rest: Rest)], Rest) = ([], [], [])
        for (route, segments) in routes {
            switch segments.first {
            case nil: ended.append(route)
            case .fixed(let name)?:
                let index = fixed.firstIndex { $0.name == name } ?? fixed.count
                if index == fixed.count { fixed.append((name, [])) }
                fixed[index].rest.append((route, segments.dropFirst()))
            // One branch for every name: two routes may call the same place differently.
            case .variable?: variable.append((route, segments.dropFirst()))
            }
        }
        self.ended = ended.flatMap { route in route.methods.map { ($0, route) } }
        precondition(
            Set(self.ended.map(\.method)).count == self.ended.count, "Two routes for one method and path")
        self.names = fixed.flatMap(\.name)
        self.ends = fixed.reduce(into: []) { $0.append(($0.last ?? 0) + $1.name.count) }
        self.marks = fixed.map { Self.mark($0.name.span) }
        self.fixed = fixed.map { RouteBranch($0.rest) }
        self.variable = variable.isEmpty ? nil : RouteBranch(variable)
    }

    /// The end of the best pattern for what is left of a path, `nil` when no pattern matches it.
    func branch(for path: Span<UInt8>, from position: Int) -> RouteBranch? {
        let start = position < path.count && path[position] == UInt8(ascii: "/") ? position + 1 : position
        guard start < path.count else { return self.ended.isEmpty ? nil : self }
        let end = path.firstIndex(of: UInt8(ascii: "/"), from: start)
        let segment = path.extracting(start..<end)
        let mark = Self.mark(segment)
        for index in self.marks.indices where self.marks[index] == mark && self.isName(index, segment) {
            if let branch = self.fixed[index].branch(for: path, from: end) { return branch }
        }
        // No name has a percent sign in it.
        if segment.firstIndex(of: UInt8(ascii: "%")) < segment.count {
            for index in self.fixed.indices where self.isName(index, segment) {
                if let branch = self.fixed[index].branch(for: path, from: end) { return branch }
            }
        }
        return self.variable?.branch(for: path, from: end)
    }

    func route(for method: HTTPMethod) -> Route? {
        for index in self.ended.indices where self.ended[index].method == method { return self.ended[index].route }
        return method == .head ? self.route(for: .get) : nil
    }

    /// The value of `Allow` (RFC 9110 10.2.1).
    var allow: String {
        var names = self.ended.map(\.method.text)
        if names.contains("GET"), !names.contains("HEAD") { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }

    private func isName(_ index: Int, _ segment: Span<UInt8>) -> Bool {
        let names = self.names
        let place = (index == 0 ? 0 : self.ends[index - 1])..<self.ends[index]
        return PercentCoding.isSegment(segment, equalTo: names.span.extracting(place))
    }

    /// A number that few names of one branch share.
    private static func mark(_ name: Span<UInt8>) -> Int {
        name.isEmpty ? 0 : name.count << 16 | Int(name[0]) << 8 | Int(name[name.count - 1])
    }
}
