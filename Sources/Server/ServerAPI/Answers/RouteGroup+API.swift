package import Clientless
package import HTTPServer

extension RouteGroup {
    /// What all endpoints of the API share: the fields of every answer and, where one is given, the throttle.
    /// - Parameter authenticator: recognises programmers' servers, whose calls count under their devices' addresses
    ///   (rest-v1 24.1), and knows the requestors. Without it, calls count under their own address.
    package static func api(
        throttle: Throttle? = nil, settings: APISettings? = nil, authenticator: Authenticator? = nil,
        now: (@Sendable () -> Timestamp)? = nil
    ) -> RouteGroup {
        guard let settings, let now else { return RouteGroup(decorate: CommonHeaders.decorate) }
        let gate = CallGate(
            throttle: throttle, settings: settings, authenticator: authenticator, place: .parameter, now: now)
        return gate.group
    }
}
