/// A status code, 100 to 599 (RFC 9110 15).
package struct HTTPStatus: Hashable, Sendable {
    package let code: Int

    /// Codes outside 200...599 cannot be sent as an answer and become 500.
    package init(_ code: Int) { self.code = (200...599).contains(code) ? code : 500 }

    package static let ok = HTTPStatus(200)
    package static let created = HTTPStatus(201)
    package static let accepted = HTTPStatus(202)
    package static let noContent = HTTPStatus(204)
    package static let found = HTTPStatus(302)
    package static let seeOther = HTTPStatus(303)
    package static let temporaryRedirect = HTTPStatus(307)
    package static let badRequest = HTTPStatus(400)
    package static let unauthorized = HTTPStatus(401)
    package static let forbidden = HTTPStatus(403)
    package static let notFound = HTTPStatus(404)
    package static let methodNotAllowed = HTTPStatus(405)
    package static let notAcceptable = HTTPStatus(406)
    package static let conflict = HTTPStatus(409)
    package static let gone = HTTPStatus(410)
    package static let preconditionFailed = HTTPStatus(412)
    package static let contentTooLarge = HTTPStatus(413)
    package static let unprocessableContent = HTTPStatus(422)
    package static let tooManyRequests = HTTPStatus(429)
    package static let internalServerError = HTTPStatus(500)
    package static let badGateway = HTTPStatus(502)
    package static let serviceUnavailable = HTTPStatus(503)
    package static let gatewayTimeout = HTTPStatus(504)

    /// The phrase that goes with the code, `Status` if no phrase is registered.
    package var reason: String { Self.reasons[self.code] ?? "Status" }

    /// Whether an answer with this status has neither a body nor a content type (RFC 9110 15.3.5, 15.4.5).
    package var forbidsBody: Bool { self.code == 204 || self.code == 304 }

    /// The codes that get a counter of their own; every other code is counted as `other`.
    static let counted = [
        200, 201, 202, 204, 301, 302, 303, 304, 307, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 422,
        429, 431, 500, 501, 502, 503, 504,
    ]

    private static let reasons: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
