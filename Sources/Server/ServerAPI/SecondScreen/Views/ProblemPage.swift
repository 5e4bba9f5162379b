import HTTPServer

/// What went wrong, in words, and the way out.
struct ProblemPage: Page {
    static let template = "problem"

    let problem: Problem
    /// Names the request in the server's log.
    let reference: RequestID
    /// Where the viewer was.
    let place: PagePlace

    var values: [String: TemplateValue] {
        [
            "heading": .phrase(Phrase(self.problem.heading)),
            "explanation": .phrase(Phrase(self.problem.explanation)),
            "retry": .phrase(
                self.problem.kind == .tooManyAttempts ? self.problem.retryAfter.map(WaitingTime.phrase) : nil),
            "again": self.problem.mayPass ? .text(self.place.address) : .absent,
            "reference": self.problem.detail == nil ? .absent : .html(.leftToRight(self.reference.description)),
        ]
    }
}
