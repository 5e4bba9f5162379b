/// The facts of a request that a decoration may use. Small: it is made of what a held request keeps.
package struct ResponseContext: Sendable {
    package let id: RequestID
    package let method: HTTPMethod
    /// The request's `Origin`, for cross-origin headers; at most 256 bytes, else `nil`.
    package let origin: String?
    /// The name of the route that matched; `nil` on 404, 405, preflight.
    package let routeName: String?
}
