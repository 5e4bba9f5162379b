package import HTTPServer

/// How much an error says: what old clients expect, or more where the requestor opted in (rest-v1 8.1, 8.3).
package enum ErrorStyle: Hashable, Sendable {
    case classic
    /// - Parameters:
    ///   - help: the page that explains the codes.
    ///   - trace: names this answer, and is the request's own id: who reads one finds the other in the log.
    case enhanced(help: String, trace: RequestID)
}
