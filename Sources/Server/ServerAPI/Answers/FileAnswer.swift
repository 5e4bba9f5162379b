import Compression
import HTTPServer

/// The answer to everyone who asks for one file, made once in each coding.
struct FileAnswer: Sendable {
    private let plain: HTTPResponse
    /// `nil` if it is compressed already.
    private let coded: HTTPResponse?

    /// - Parameter headers: with its content type.
    init(_ bytes: [UInt8], headers: HTTPHeaders) {
        var plain = HTTPResponse(headers: headers, body: .bytes(bytes))
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
