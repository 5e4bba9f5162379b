/// All that is kept of a held request.
struct ParkedRequest: Sendable {
    let route: MatchedRoute
    let remoteAddress: IPAddress
    /// Microseconds of `MonotonicTime`.
    let started: Int
    let isHead: Bool
}
