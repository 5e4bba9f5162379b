import HTTPServer

/// The failure in words, and the way out.
struct ProblemPage: Page {
    static let template = "problem"
    var mayBeCompressed: Bool { true }

    let problem: Problem
    /// Names the request in the server's log.
    let reference: RequestID
    /// The viewer's page.
    let place: PagePlace

    private var next: (address: String, label: PhraseKey) {
        switch self.problem.nextStep {
        case .startAgain where self.problem.mayPass: (self.place.address, .tryAgain)
        case .startAgain: (ScreenPath.activate, .startAgain)
        case .picker(let code): (ScreenPath.provider(of: code), .choosePicker)
        case .boxes: (ScreenPath.boxes, .choosePicker)
        }
    }

    var values: TemplateValues {
        [
            "heading": .phrase(Phrase(self.problem.page.heading)),
            "explanation": .phrase(Phrase(self.problem.page.explanation)),
            "retry": .phrase(
                self.problem.kind == .tooManyAttempts ? self.problem.retryAfter.map(WaitingTime.phrase) : nil),
            "sentence": self.problem.sentence.flatMap { ForeignText($0, limit: 300) }.map { .foreign($0) } ?? .absent,
            "next": .text(self.next.address),
            "action": .phrase(Phrase(self.next.label)),
            "reference": self.problem.detail == nil ? .absent : .html(.leftToRight(self.reference.spoken)),
        ]
    }
}
