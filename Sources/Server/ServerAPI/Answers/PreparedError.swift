import HTTPServer

/// A classic error that is always the same, with what it takes to say more of it (rest-v1 8.3).
struct PreparedError: Sendable {
    let error: WireError
    private let classic: PreparedAnswer

    init(_ error: WireError) {
        self.error = error
        self.classic = PreparedAnswer(error)
    }

    subscript(format: WireFormat, style: ErrorStyle) -> HTTPResponse {
        switch style {
        case .classic: self.classic[format]
        case .enhanced: Answer.error(self.error, format, style)
        }
    }
}
