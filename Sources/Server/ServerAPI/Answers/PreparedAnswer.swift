import HTTPServer

/// An answer that is always the same, written once in both forms: what most polls get.
struct PreparedAnswer: Sendable {
    private let json: HTTPResponse
    private let xml: HTTPResponse

    init(_ error: WireError) {
        self.json = Answer.error(error, .json).prepared()
        self.xml = Answer.error(error, .xml).prepared()
    }

    init(_ document: WireDocument, caching: String) {
        self.json = Answer.document(document, .json, caching: caching)
        self.xml = Answer.document(document, .xml, caching: caching)
    }

    subscript(format: WireFormat) -> HTTPResponse {
        switch format {
        case .json: self.json
        case .xml: self.xml
        }
    }
}
