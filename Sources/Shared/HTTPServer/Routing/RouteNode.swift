/// A segment of the tree of routes while it grows; `RouteTable` is what is searched.
struct RouteNode: Sendable {
    private(set) var fixed: [(name: [UInt8], node: RouteNode)] = []
    private(set) var variable: [RouteNode] = []
    private(set) var methods = RouteMethods()

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
        for index in self.routes.indices where self.routes[index].method == method { return self.routes[index].route }
        return method == .head ? self.route(for: .get) : nil
    }

    /// The value of `Allow` (RFC 9110 10.2.1).
    var allow: String {
        var names = self.routes.map(\.method.text)
        if names.contains("GET"), !names.contains("HEAD") { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }
}
