import Compression
import HTTPServer

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

    /// The wish of `request`.
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
            let bytes = response.body.bytes
            var encoder = try GzipEncoder(level, textsUpTo: bytes.count)
            var coded = response
            coded.body = .bytes(try encoder.encode(bytes))
            coded.headers.set("Content-Encoding", "gzip")
            return coded
        } catch {
            return nil
        }
    }
}
