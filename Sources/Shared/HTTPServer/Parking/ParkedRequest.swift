/// All that is kept of a held request.
struct ParkedRequest: Sendable {
    let route: MatchedRoute
    let remoteAddress: IPAddress
    /// Microseconds of `MonotonicTime`.
    let started: Int
    let isHead: Bool
    /// Such a client understands no interim answer (RFC 9110 15.2).
    let isVersion10: Bool
}
