/// An answer. `Date`, `Content-Length` and, where needed, `Connection` are the server's to add.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var headers: HTTPHeaders
    package var body: HTTPBody

    package init(status: HTTPStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Plain text in UTF-8.
    package static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .text(text))
    }

    package static func empty(status: HTTPStatus = .noContent) -> HTTPResponse {
        HTTPResponse(status: status)
    }

    /// Sends the client elsewhere. `location` is not checked for where it leads; line breaks in it do no harm.
    package static func redirect(to location: String, status: HTTPStatus = .found) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Location": location])
    }

    /// The same answer, with every field called `name` replaced by one.
    package func setting(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.set(name, value)
        return copy
    }

    /// The same answer, with a field more.
    package func adding(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }

    /// The body that may be sent: a status may forbid one.
    var sentBody: HTTPBody { self.status.forbidsBody ? .empty : self.body }

    /// Calls `body` with the fields that may be sent: without those the server writes itself, and without a content
    /// type where there can be no content.
    func forEachSentField(_ body: (HTTPHeaders.Field) -> Void) {
        var position = 0
        while let field = self.headers.nextField(&position) {
            switch field.name.count {
            case 4 where self.headers.isField(field, named: "Date"): continue
            case 10 where self.headers.isField(field, named: "Connection"): continue
            case 12 where self.status.forbidsBody && self.headers.isField(field, named: "Content-Type"): continue
            case 14 where self.headers.isField(field, named: "Content-Length"): continue
            case 17 where self.headers.isField(field, named: "Transfer-Encoding"): continue
            default: body(field)
            }
        }
    }
}
