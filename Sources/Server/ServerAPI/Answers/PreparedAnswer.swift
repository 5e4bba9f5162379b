import Compression
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
        style == nil ? self.classic[format] : Answer.error(self.error, format, style)
    }
}

/// Which answers are sent as gzip, and how they become it (RFC 9110 8.4).
///
/// Pages and their files alone: what programs are told is short, and old boxes read no coding. No answer has an `ETag`,
/// which would have to differ with the coding: the address of a file changes with its content, and pages are never kept.
enum AnswerCoding {
    /// Bytes. Anything shorter is in one packet either way.
    static let smallestBody = 200
    /// Bytes. No page is so long; one that were would keep a processor busy.
    static let longestPage = 1024 * 1024
    /// Bytes. Longer pages, such as a picker of hundreds of providers, repeat themselves so much that little work will do.
    private static let longestEvenPage = 32 * 1024

    static func wish(of request: HTTPRequest) -> AcceptEncodingHeader.Wish {
        AcceptEncodingHeader(request.headers.all("Accept-Encoding")).wish
    }

    /// Whether a body of this type becomes smaller: text does, PNG and WebP are compressed already.
    static func isCompressible(_ contentType: String?) -> Bool {
        contentType.map { $0.hasPrefix("text/") || $0.hasPrefix("image/svg+xml") } ?? false
    }

    /// `page` as its caller wishes it. One that cannot be made smaller is sent as it is.
    static func coded(_ page: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        let wish = self.wish(of: request)
        guard wish != .plain, page.body.count <= self.longestPage else { return page }
        let level: CompressionLevel = page.body.count <= self.longestEvenPage ? .even : .quick
        guard let coded = self.compressed(page, level) else { return page }
        return self.isWanted(coded, in: wish, insteadOf: page) ? coded : page
    }

    /// Whether `coded` goes out where `plain` is the same answer without a coding.
    static func isWanted(
        _ coded: HTTPResponse, in wish: AcceptEncodingHeader.Wish, insteadOf plain: HTTPResponse
    ) -> Bool {
        switch wish {
        case .plain: false
        case .smaller: plain.body.count >= self.smallestBody && coded.body.count < plain.body.count
        case .gzip: true
        }
    }

    /// - Returns: `nil` for a type that is compressed already, and if there is no memory.
    static func compressed(_ response: HTTPResponse, _ level: CompressionLevel) -> HTTPResponse? {
        guard self.isCompressible(response.headers["Content-Type"]) else { return nil }
        do throws(CompressionError) {
            let bytes = response.body
            var encoder = try GzipEncoder(level, textsUpTo: bytes.count)
            var coded = response
            coded.body = try encoder.encode(bytes)
            coded.headers.set("Content-Encoding", "gzip")
            return coded
        } catch {
            return nil
        }
    }
}
