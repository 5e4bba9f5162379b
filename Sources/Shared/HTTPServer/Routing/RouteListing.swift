/// One method on one path, for a reader that has to know what a server answers without asking it.
package struct RouteListing: Hashable, Sendable {
    package let method: HTTPMethod
    /// As it was added, with its variables in braces.
    package let path: String
    package let name: String
    /// Bytes of body its handler may get; `nil` if the server's own limit is enough.
    package let bodyLimit: Int?

    /// Method and path, such as `GET /api/v1/authorize`.
    package var label: String { "\(self.method.text) \(self.path)" }
}

extension Router {
    /// Every route, in the order they were added; a route with several methods is there once for each.
    package var listing: [RouteListing] {
        self.routes.flatMap { route in
            route.methods.map {
                RouteListing(method: $0, path: route.pattern.text, name: route.name, bodyLimit: route.bodyLimit)
            }
        }
    }
}
