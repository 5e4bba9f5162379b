/// An answer as bytes, for a socket that libmicrohttpd no longer has. It is the last one on its connection.
///
/// The last, because libmicrohttpd may have read part of a next request already, and that part is lost. A client that
/// sent one ahead reads `Connection: close` and sends it again (RFC 9112 9.3.2).
enum RawResponse {
    static func bytes(_ response: HTTPResponse, isHead: Bool, date: String) -> [UInt8] {
        let body = response.sentBody
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + response.headers.buffer.count + body.count)
        bytes.append(contentsOf: "HTTP/1.1 \(response.status.code) \(response.status.reason)\r\n".utf8)
        bytes.append(contentsOf: "Date: \(date)\r\nConnection: close\r\n".utf8)
        response.forEachSentField { field in
            bytes.append(contentsOf: response.headers.buffer[field.name])
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: response.headers.buffer[field.value])
            bytes.append(contentsOf: "\r\n".utf8)
        }
        if let field = response.idField { bytes.append(contentsOf: "\(field.name): \(field.id)\r\n".utf8) }
        if !response.status.forbidsBody { bytes.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
        bytes.append(contentsOf: "\r\n".utf8)
        if !isHead { bytes.append(contentsOf: body) }
        return bytes
    }

    /// Sent to a connection that the server has no room for; nothing of its request is read.
    static let full = Array(
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)

    /// Sent to a client that speaks something else.
    static let badRequest = Array(
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)

    static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
