import Synchronization

/// A request checked and joined with its client's configuration, on its way to the loop: everything a transfer needs to
/// know, and whether the caller still wants it.
final class TransferPlan: Sendable {
    let request: HTTPClient.Request
    let configuration: HTTPClient.Configuration
    let headerLines: [String]
    private let unwanted = Atomic(false)

    /// - Throws: `invalidRequest` for what would break out of its place in the request.
    init(_ request: HTTPClient.Request, _ configuration: HTTPClient.Configuration) throws(HTTPClientError) {
        // libcurl takes texts that end at a NUL: a NUL inside would cut a URL or a header short.
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), request.url.utf8.count <= 64 << 10 else {
            throw HTTPClientError(.invalidRequest, detail: "the URL is not percent-encoded, or too long")
        }
        guard request.url.hasPrefix("http://") || request.url.hasPrefix("https://") else {
            throw HTTPClientError(.invalidRequest, detail: "the URL is not http or https")
        }
        guard request.unixSocketPath.map({ !$0.utf8.contains(0) && !$0.isEmpty }) ?? true else {
            throw HTTPClientError(.invalidRequest, detail: "the socket path is empty or holds a NUL")
        }
        var lines: [String] = []
        for field in request.headers.fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte),
                field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else {
                throw HTTPClientError(.invalidRequest, detail: "a header cannot be sent as it is")
            }
            // CURLOPT_HTTPHEADER(3): "name:" removes a header, "name;" sends one without a value.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if request.headers["user-agent"] == nil, !configuration.userAgent.isEmpty {
            lines.append("User-Agent: \(configuration.userAgent)")
        }
        // Small bodies only: asking first would cost a second on servers that do not answer the question.
        lines.append("Expect:")
        self.request = request
        self.configuration = configuration
        self.headerLines = lines
    }

    /// Cancelling may come before the loop has seen the transfer; the mark stays for when it does.
    var isUnwanted: Bool { self.unwanted.load(ordering: .acquiring) }

    func markUnwanted() { self.unwanted.store(true, ordering: .releasing) }
}

/// The characters of a header name (RFC 9110 5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
