/// What a decoration may know about the request. Small, because a held request keeps it and nothing else.
package struct ResponseContext: Sendable {
    package let id: RequestID
    package let method: HTTPMethod
    /// The request's `Origin`, for cross-origin headers; at most 256 bytes, else `nil`.
    package let origin: String?
    /// The name of the route that matched; `nil` on 404, 405, preflight.
    package let routeName: String?

    /// - Parameter group: whose decoration will read it; without one nothing is gathered that costs.
    init(_ request: HTTPRequest, for group: RouteGroup) {
        self.id = request.id
        self.method = request.method
        self.origin =
            group.decorate == nil ? nil : request.headers["Origin"].flatMap { $0.utf8.count <= 256 ? $0 : nil }
        self.routeName = request.routeName
    }
}
