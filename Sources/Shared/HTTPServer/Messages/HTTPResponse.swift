import Synchronization

/// An answer. `Date`, `Content-Length` and, where needed, `Connection` are the server's to add.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus { didSet { self.mould = nil } }
    package var headers: HTTPHeaders { didSet { self.mould = nil } }
    package var body: [UInt8] { didSet { self.mould = nil } }
    /// The number of the prepared answer, from 0, as long as it is one: an array can be asked for it.
    private(set) var mould: Int?
    /// The request's ID, and the field that says it. Apart from the headers, because it is all in which the answers of
    /// one mould differ.
    private(set) var idField: (name: StaticString, id: RequestID)?

    package init(status: HTTPStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Plain text in UTF-8.
    package static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// Sends the client elsewhere. `location` is not checked for where it leads; line breaks in it do no harm.
    package static func redirect(to location: String, status: HTTPStatus = .found) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Location": location])
    }

    /// The same answer, with every field called `name` replaced by one.
    package func setting(_ name: StaticString, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.set(name, value)
        return copy
    }

    package func adding(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }

    /// The same answer, for one that is sent again and again as it is: the server then keeps what it makes of it. Every
    /// preparation is another; call it once.
    package func prepared() -> HTTPResponse {
        var copy = self
        copy.mould = Self.moulds.wrappingAdd(1, ordering: .relaxed).oldValue
        return copy
    }

    private static let moulds = Atomic<Int>(0)

    package var isPrepared: Bool { self.mould != nil }

    /// Names the request in a field of this name. A prepared answer stays one.
    package mutating func addID(_ id: RequestID, as name: StaticString) { self.idField = (name, id) }

    /// The body that may be sent: a status may forbid one.
    var sentBody: [UInt8] { self.status.forbidsBody ? [] : self.body }

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

package enum HTTPReply: Sendable {
    package typealias Scope = @Sendable (_ scope: () -> Void) -> Void

    /// The answer, made on the listener's own thread. For everything that neither waits nor blocks.
    case now(HTTPResponse)
    /// The answer is the result of a task; the connection is suspended until it ends. When the server must stop before,
    /// the task is cancelled and the client gets 503. The task begins within the scope and takes its task-local values.
    /// One that begins here is on the listener's own thread until it waits: before that it takes little time, and never
    /// blocks.
    case later(@Sendable () async -> HTTPResponse, beginsHere: Bool = false, within: Scope? = nil)
    /// The answer comes when something happens; until then the request costs its socket and a few hundred bytes.
    case held(HeldReply)
}
