import Clientless
package import HTTPServer

/// How much an error says: what old clients expect, or more where the requestor opted in (rest-v1 8.1, 8.3).
package enum ErrorStyle: Hashable, Sendable {
    case classic
    /// - Parameters:
    ///   - help: the page that explains the codes.
    ///   - trace: names this answer, and is the request's own id: who reads one finds the other in the log.
    case enhanced(help: String, trace: RequestID)
}

/// Which requestors opted in.
struct ErrorStyles: Sendable {
    private let requestors: KnownRequestors
    private let help: String

    init(_ requestors: KnownRequestors, _ settings: APISettings) {
        self.requestors = requestors
        self.help = settings.helpURL
    }

    /// How errors of a call for `requestor` are written; classic if it is not known.
    func style(for requestor: RequestorID?, trace: RequestID) -> ErrorStyle {
        guard let requestor, self.requestors.usesEnhancedErrors(requestor) else { return .classic }
        return .enhanced(help: self.help, trace: trace)
    }
}
