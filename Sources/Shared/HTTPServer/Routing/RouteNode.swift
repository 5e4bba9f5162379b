/// A segment of the tree of routes.
struct RouteNode: Sendable {
    private var fixed: [(name: [UInt8], node: RouteNode)] = []
    private var variable: [RouteNode] = []
    private var methods = RouteMethods()

    mutating func add(_ route: Route, method: HTTPMethod, segments: ArraySlice<RoutePattern.Segment>) {
        guard let segment = segments.first else {
            self.methods.add(route, method: method)
            return
        }
        let rest = segments.dropFirst()
        switch segment {
        case .fixed(let name):
            let index = self.fixed.firstIndex { $0.name == name } ?? self.fixed.count
            if index == self.fixed.count { self.fixed.append((name, RouteNode())) }
            self.fixed[index].node.add(route, method: method, segments: rest)
        case .variable:
            // One node for every name: two routes may call the same place differently.
            if self.variable.isEmpty { self.variable.append(RouteNode()) }
            self.variable[0].add(route, method: method, segments: rest)
        }
    }

    /// The methods of the best pattern for what is left of a path, `nil` when no pattern matches it.
    func methods(for path: ArraySlice<UInt8>) -> RouteMethods? {
        var rest = path
        guard let segment = RequestPath.nextSegment(&rest) else { return self.methods.isEmpty ? nil : self.methods }
        // By index: to take a child out of the array would count references of everything below it.
        for index in self.fixed.indices where PercentCoding.isSegment(segment, equalTo: self.fixed[index].name) {
            if let methods = self.fixed[index].node.methods(for: rest) { return methods }
        }
        return self.variable.first?.methods(for: rest)
    }
}

/// The routes of one pattern by method.
struct RouteMethods: Sendable {
    private var routes: [(method: HTTPMethod, route: Route)] = []

    var isEmpty: Bool { self.routes.isEmpty }

    mutating func add(_ route: Route, method: HTTPMethod) {
        precondition(!self.routes.contains { $0.method == method }, "Two routes for one method and path")
        self.routes.append((method, route))
    }

    func route(for method: HTTPMethod) -> Route? {
        if let entry = self.routes.first(where: { $0.method == method }) { return entry.route }
        return method == .head ? self.routes.first { $0.method == .get }?.route : nil
    }

    /// The value of `Allow` (RFC 9110 10.2.1).
    var allow: String {
        var names = self.routes.map(\.method.text)
        if names.contains("GET"), !names.contains("HEAD") { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }
}
