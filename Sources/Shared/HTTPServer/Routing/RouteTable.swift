import TextCoding

/// The routes of a router that is complete, as a server searches them.
///
/// A class made of classes: a search through values would copy them on its way, and count the references of all that
/// is below, forty of them with every request.
final class RouteTable: Sendable {
    private let root: RouteBranch
    /// The ends of the patterns without a variable, or with one at their end, by what comes before it: nearly every call
    /// takes one.
    private let plain: NameTable
    private let ends: [RouteBranch]
    let router: Router
    /// The number under which each route is counted, by the index of the route.
    private let labels: [Int]

    /// - Parameter label: the number under which the routes of a name are counted.
    init(_ router: Router, label: (String) -> Int) {
        self.router = router
        self.labels = router.routes.map { label($0.name) }
        let root = RouteBranch(router.routes.map { ($0, $0.pattern.segments[...]) })
        self.root = root
        var plain: [(name: [UInt8], end: RouteBranch)] = []
        for pattern in router.routes.map(\.pattern)
        where pattern.variables.allSatisfy({ $0.position == pattern.segments.count - 1 }) {
            var text: [UInt8] = []
            for case .fixed(let name) in pattern.segments { text += [Self.slash] + name }
            if !pattern.variables.isEmpty { text.append(Self.slash) }
            // No name is like the variable.
            let example = pattern.variables.isEmpty ? text : text + [0]
            guard let branch = root.branch(for: example.span, from: 0) else { continue }
            plain.append((text, branch))
        }
        self.plain = NameTable(plain.map(\.name))
        self.ends = plain.map(\.end)
    }

    private static let slash = UInt8(ascii: "/")

    /// The end of the best pattern for a path: one without a variable, else with one at its end, else any other.
    private func branch(for path: Span<UInt8>) -> RouteBranch? {
        var slash = path.count - 1
        while slash > 0, path[slash] != Self.slash, path[slash] != UInt8(ascii: "%") { slash -= 1 }
        // An empty segment and one with codes are compared apart.
        if slash >= 0, slash + 1 < path.count, path[slash] == Self.slash {
            if let end = self.plain.index(of: path) ?? self.plain.index(of: path.extracting(...slash)) {
                return self.ends[end]
            }
        }
        return self.root.branch(for: path, from: 0)
    }

    /// The end of the best pattern for a target.
    func branch(ofTarget target: [UInt8]) -> RouteBranch? {
        let path = self.router.normaliser.path(ofTarget: target.prefix { $0 != UInt8(ascii: "?") }).bytes
        return self.branch(for: path.span)
    }

    /// Finds the route of `request` and lets its handler reply. The answer is not decorated yet.
    /// - Parameter known: the end of the best pattern, if it was looked for before.
    func dispatch(_ request: HTTPRequest, _ known: RouteBranch?) -> RoutedReply {
        if request.method == .options { return self.unrouted(request, self.router.preflight(request)) }
        let path = request.pathBytes
        guard let branch = known ?? self.branch(for: path.span) else { return self.refusal(request, .notFound) }
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
final class RouteBranch: Sendable {
    /// The routes that end here, by method.
    private let ended: [(method: HTTPMethod, route: Route)]
    private let fixed: [(name: [UInt8], branch: RouteBranch)]
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
        self.fixed = fixed.map { ($0.name, RouteBranch($0.rest)) }
        self.variable = variable.isEmpty ? nil : RouteBranch(variable)
    }

    /// The end of the best pattern for what is left of a path, `nil` when no pattern matches it.
    func branch(for path: Span<UInt8>, from position: Int) -> RouteBranch? {
        let start = position < path.count && path[position] == UInt8(ascii: "/") ? position + 1 : position
        guard start < path.count else { return self.ended.isEmpty ? nil : self }
        let end = path.firstIndex(of: UInt8(ascii: "/"), from: start)
        let segment = path.extracting(start..<end)
        for (name, branch) in self.fixed where PercentCoding.isSegment(segment, equalTo: name.span) {
            if let end = branch.branch(for: path, from: end) { return end }
        }
        return self.variable?.branch(for: path, from: end)
    }

    /// Its ``Route/bodyLimit`` is that of its requests; `nil` if only the server's own limit counts.
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
}
