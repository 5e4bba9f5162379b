import Clientless
import Compression
import HTTPServer

enum Answer {
    /// For anything token-like (rest-v1 3.6), and everything else that is not said otherwise.
    static let uncached = "no-store"

    static func document(
        _ document: WireDocument, _ format: WireFormat, status: HTTPStatus = .ok, caching: String = Answer.uncached
    ) -> HTTPResponse {
        self.bytes(document.bytes(format), format, status: status, caching: caching)
    }

    /// The same for a document that was written already.
    static func bytes(
        _ bytes: [UInt8], _ format: WireFormat, status: HTTPStatus = .ok, caching: String = Answer.uncached
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: caching == self.uncached ? self.headers(format) : self.headers(format, caching),
            body: bytes)
    }

    private static func headers(_ format: WireFormat) -> HTTPHeaders {
        switch format {
        case .json: self.uncachedJSON
        case .xml: self.uncachedXML
        }
    }

    private static let uncachedJSON = headers(.json, uncached)
    private static let uncachedXML = headers(.xml, uncached)

    private static func headers(_ format: WireFormat, _ caching: String) -> HTTPHeaders {
        HTTPHeaders([("Content-Type", format.contentType), ("Cache-Control", caching)])
    }

    static func content(
        _ type: String, _ body: some Sequence<UInt8>, status: HTTPStatus = .ok, caching: String = Answer.uncached
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders([("Content-Type", type), ("Cache-Control", caching)]),
            body: Array(body))
    }

    static func object<Value>(
        _ root: XMLName, _ shape: Shape<Value>, _ value: Value, _ format: WireFormat, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        self.bytes(DocumentWriter.document(root, format) { shape.write(value, to: &$0) }, format, status: status)
    }

    static func error(_ error: WireError, _ format: WireFormat, _ style: ErrorStyle = nil) -> HTTPResponse {
        self.withFields(of: error, self.document(error.document(style), format, status: error.status))
    }

    /// An error as a page.
    /// - Parameter content: another page than the one that repeats the error.
    static func page(_ error: WireError, content: [UInt8]? = nil) -> HTTPResponse {
        self.withFields(of: error, self.plainPage(content ?? ErrorPage.bytes(of: error), status: error.status))
    }

    static func plainPage(_ content: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
        self.content(ErrorPage.contentType, content, status: status)
            .adding("Content-Security-Policy", ErrorPage.policy).adding("X-Content-Type-Options", "nosniff")
    }

    /// Success without a body; 204 has no content type either (rest-v1 3.5).
    static func empty(_ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders([("Cache-Control", self.uncached)]))
    }

    /// To another address; no cache keeps the way there.
    static func redirect(to address: String, status: HTTPStatus = .found) -> HTTPResponse {
        HTTPResponse.redirect(to: address, status: status).adding("Cache-Control", self.uncached)
    }

    private static func withFields(of error: WireError, _ response: HTTPResponse) -> HTTPResponse {
        var response = response
        if let challenge = error.challenge { response.headers.add("WWW-Authenticate", challenge) }
        if let seconds = error.retryAfter { response.headers.add("Retry-After", String(seconds)) }
        return response
    }
}

/// The answer to everyone who asks for one file, made once in each coding.
struct FileAnswer: Sendable {
    private let plain: HTTPResponse
    /// `nil` if it is compressed already.
    private let coded: HTTPResponse?

    init(_ bytes: [UInt8], headers: HTTPHeaders) {
        var plain = HTTPResponse(headers: headers, body: bytes)
        if AnswerCoding.isCompressible(headers["Content-Type"]) { plain.headers.add("Vary", "Accept-Encoding") }
        self.plain = plain
        self.coded = AnswerCoding.compressed(plain, .small)
    }

    func answer(to request: HTTPRequest) -> HTTPResponse {
        guard let coded = self.coded,
            AnswerCoding.isWanted(coded, in: AnswerCoding.wish(of: request), insteadOf: self.plain)
        else { return self.plain }
        return coded
    }

    /// Its size in memory, in bytes.
    var size: Int { self.plain.body.count + (self.coded?.body.count ?? 0) }
}
