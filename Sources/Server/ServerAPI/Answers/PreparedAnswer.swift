import HTTPServer

/// An answer that is always the same, written once in both forms: what most polls get.
final class PreparedAnswer: Sendable {
    private let json: HTTPResponse
    private let xml: HTTPResponse

    init(_ error: WireError, _ transport: TransportSecurity) {
        self.json = transport.added(to: Answer.error(error, .json)).prepared()
        self.xml = transport.added(to: Answer.error(error, .xml)).prepared()
    }

    /// - Parameter transport: `nil` for an answer that is sent once.
    init(_ document: WireDocument, caching: String, _ transport: TransportSecurity? = nil) {
        func answer(_ format: WireFormat) -> HTTPResponse {
            var answer = Answer.document(document, format, caching: caching)
            guard let transport, answer.body.count <= Self.longestKept else { return answer }
            answer = transport.added(to: answer)
            CommonHeaders.addVary(to: &answer)
            return answer.prepared()
        }
        self.json = answer(.json)
        self.xml = answer(.xml)
    }

    /// Bytes. The server keeps several copies of a prepared answer.
    private static let longestKept = 16_384

    subscript(format: WireFormat) -> HTTPResponse {
        switch format {
        case .json: self.json
        case .xml: self.xml
        }
    }
}

/// A classic error that is always the same, with what it takes to say more of it (rest-v1 8.3).
final class PreparedError: Sendable {
    let error: WireError
    private let classic: PreparedAnswer

    init(_ error: WireError, _ transport: TransportSecurity) {
        self.error = error
        self.classic = PreparedAnswer(error, transport)
    }

    subscript(format: WireFormat, style: ErrorStyle) -> HTTPResponse {
        switch style {
        case .classic: self.classic[format]
        case .enhanced: Answer.error(self.error, format, style)
        }
    }
}
