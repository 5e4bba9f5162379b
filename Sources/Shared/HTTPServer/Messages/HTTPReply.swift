/// A handler's reply to a request.
package enum HTTPReply: Sendable {
    /// The answer, made on the listener's own thread. For everything that neither waits nor blocks.
    case now(HTTPResponse)
    /// The answer is the result of a task; the connection is suspended until it ends. When the server must stop before,
    /// the task is cancelled and the client gets 503.
    case later(@Sendable () async -> HTTPResponse)
    /// The answer comes when something happens; until then the request costs its socket and a few hundred bytes.
    case held(HeldReply)
}
