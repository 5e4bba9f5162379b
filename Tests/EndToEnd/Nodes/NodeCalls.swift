import HTTPClient

/// What came of a call to a node that may be in trouble.
enum NodeAnswer: Sendable {
    case answered(HTTPClient.Response)
    /// 503 with `Retry-After`: whether something was changed is unknown.
    case away
    /// No answer, from a node in trouble.
    case lost

    var response: HTTPClient.Response? { if case .answered(let response) = self { response } else { nil } }
}

/// Calls to the nodes of a fleet, held to what holds for all of them: an answer or a refusal in time, and no failure
/// that a caller could not wait out.
struct NodeCalls: Sendable {
    let troubles: NodeTroubles
    let findings: NodeFindings
    /// How long a call may take at most whose node is in no trouble, whatever happens to PostgreSQL. A page may be several
    /// calls and a password's hash, on a machine that others use; what they took is printed.
    static let bound: Duration = .seconds(15)
    /// How long an answer is waited for.
    static let timeout: Duration = .seconds(25)

    /// Holds an answer to what is due of any.
    /// - Parameter what: the call, for the sentence about a promise that was broken.
    func judged(
        _ what: String, at node: Int, held: Duration = .zero,
        _ send: () async throws -> HTTPClient.Response
    ) async throws -> NodeAnswer {
        let excuse = self.troubles.excuse(node)
        let start = ContinuousClock.now
        let response: HTTPClient.Response
        do {
            response = try await send()
        } catch let error as HTTPClientError {
            if error.code == .cancelled { throw CancellationError() }
            if self.troubles.excuses(excuse) {
                self.findings.noteLoss()
            } else {
                self.findings.note("\(what) at node \(node) had no answer: \(error.debugDescription)")
            }
            return .lost
        }
        let time = start.duration(to: .now) - held
        let isAway = response.status == 503 && response.headers["Retry-After"] != nil
        if !self.troubles.excuses(excuse) {
            self.findings.noteAnswer(after: time, isRefusal: isAway)
            if time > Self.bound { self.findings.note("\(what) at node \(node) took \(time) longer than it may") }
        }
        if response.status >= 500, !isAway {
            self.findings.note("\(what) at node \(node) got \(response.status): \(response.text.prefix(200))")
            return .lost
        }
        return isAway ? .away : .answered(response)
    }
}
