import HTTPServer

extension Page {
    /// The failure in words, and the way out.
    /// - Parameters:
    ///   - reference: names the request in the server's log.
    ///   - place: the viewer's page.
    static func problem(_ problem: Problem, reference: RequestID, _ place: PagePlace) -> Page {
        let (address, label): (String, PhraseKey) =
            switch problem.nextStep {
            case .startAgain where problem.mayPass: (place.address, .tryAgain)
            case .startAgain: (ScreenPath.activate, .startAgain)
            case .picker(let code): (ScreenPath.provider(of: code), .choosePicker)
            case .boxes: (ScreenPath.boxes, .choosePicker)
            }
        return Page(
            "problem", mayBeCompressed: true,
            [
                "heading": .phrase(Phrase(key: problem.kind.heading)),
                "explanation": .phrase(Phrase(key: problem.kind.explanation)),
                "retry": .phrase(problem.kind == .tooManyAttempts ? problem.retryAfter.map(WaitingTime.phrase) : nil),
                "sentence": .foreign(problem.sentence.flatMap { ForeignText($0, limit: 300) }),
                "next": .text(address),
                "action": .phrase(Phrase(label)),
                "reference": problem.detail == nil ? .absent : .html(.leftToRight(reference.spoken)),
            ])
    }
}
