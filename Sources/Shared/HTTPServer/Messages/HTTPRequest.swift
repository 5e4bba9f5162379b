package import POSIX
import Synchronization
import TextCoding

/// One request, whole: its body has been read and its bounds have been checked.
///
/// Copying it copies a reference. Values derived from the raw bytes (parameters, cookies, texts) are made anew at each
/// question; keep a value you need twice. Its parts are `public`, as the compiler inlines nothing of `package` into other
/// targets.
public struct HTTPRequest: Sendable {
    @usableFromInline let message: Message
    /// The route that matched, whose variables `segment` reads.
    private(set) var route: Route?

    /// Makes a request without a server, for handlers under test.
    package init(
        method: HTTPMethod, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        remoteAddress: IPAddress = .unix, remotePort: UInt16? = nil, peer: UnixPeer? = nil, isSecure: Bool = false,
        id: RequestID = .next(), normaliser: PathNormaliser = .identity
    ) {
        self.init(
            Message(
                method: method, target: Array(target.utf8), headers: headers, body: body,
                remoteAddress: remoteAddress, remotePort: remotePort, peer: peer, isSecure: isSecure, id: id,
                normaliser: normaliser))
    }

    init(_ message: Message) { self.message = message }

    func routed(to route: Route) -> HTTPRequest {
        var copy = self
        copy.route = route
        return copy
    }

    @inlinable public var method: HTTPMethod { self.message.method }

    /// The request target exactly as received, query included. May hold secrets: never log it.
    package var target: String { String(decoding: self.message.target, as: UTF8.self) }

    /// The path as the router's ``PathNormaliser`` reads it, still percent-encoded.
    package var path: String { String(decoding: self.message.path.bytes, as: UTF8.self) }
    @inlinable public var pathBytes: ArraySlice<UInt8> { self.message.path.bytes }

    /// The suffix that the normaliser cut off the path, without its dot.
    @inlinable public var suffix: String? { self.message.path.suffix }

    /// The part behind the first `?` of the target, undecoded; empty without a query.
    package var rawQuery: String { String(decoding: self.message.query.text, as: UTF8.self) }
    @inlinable public var query: HTTPParameters { self.message.query }
    @inlinable public var headers: HTTPHeaders { self.message.headers }
    @inlinable public var body: [UInt8] { self.message.body }

    /// The parameters of a form body: empty when the content type says something else, and when the body is `{}` or has no
    /// pair in it.
    @inlinable public var form: HTTPParameters { self.message.form }

    /// The parameters of the query and of a form body; where a name is in both, the body wins.
    package var parameters: HTTPParameters { self.message.query.overridden(by: self.message.form) }

    /// The percent-decoded value of the variable `name` of the route's pattern. Empty when the pattern has no such
    /// variable, which is a mistake of the route's author.
    package func segment(_ name: String) -> String {
        guard let position = self.route?.pattern.position(ofVariable: name) else {
            assertionFailure("the pattern has no variable of this name")
            return ""
        }
        return self.message.path.segment(position).map(PercentCoding.decoded) ?? ""
    }

    /// The address of the peer: a proxy's, when there is one.
    package var remoteAddress: IPAddress { self.message.remoteAddress }

    /// The real caller when proxies stand in between; `find` runs once for each request.
    package func caller(_ find: () -> IPAddress) -> IPAddress {
        if let known = self.message.caller.withLock({ $0 }) { return known }
        // Not under the lock: finding it may write a log line, and the line asks for the caller.
        let found = find()
        self.message.caller.withLock { $0 = found }
        return found
    }

    /// The port of the peer; `nil` on a Unix socket.
    package var remotePort: UInt16? { self.message.remotePort }

    /// The process at the other end of a Unix socket, where the server identifies peers.
    package var peer: UnixPeer? { self.message.peer }

    /// Whether this server itself ended TLS.
    package var isSecure: Bool { self.message.isSecure }
    @inlinable public var id: RequestID { self.message.id }

    /// The value of the first cookie called `name` (RFC 6265 5.4), without surrounding quotes.
    package func cookie(_ name: String) -> String? {
        for header in self.headers.all("Cookie") {
            let (bytes, name) = (header.utf8.span, name.utf8.span)
            var next = 0
            while next < bytes.count {
                var start = next
                while next < bytes.count, bytes[next] != UInt8(ascii: ";") { next += 1 }
                var end = next
                next += 1
                while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
                let sign = start + name.count
                guard sign < end, bytes[sign] == UInt8(ascii: "="),
                    bytes.extracting(start..<sign).elementsEqual(name)
                else { continue }
                start = sign + 1
                if end - start > 1, bytes[start] == 0x22, bytes[end - 1] == 0x22 { (start, end) = (start + 1, end - 1) }
                return String(decoding: header.utf8.dropFirst(start).prefix(end - start), as: UTF8.self)
            }
        }
        return nil
    }
}

extension HTTPRequest {
    @usableFromInline final class Message: Sendable {
        @usableFromInline let method: HTTPMethod
        let target: [UInt8]
        @usableFromInline let path: RequestPath
        @usableFromInline let query: HTTPParameters
        @usableFromInline let headers: HTTPHeaders
        @usableFromInline let body: [UInt8]
        /// The body when it may be read as a form.
        @usableFromInline let form: HTTPParameters
        let remoteAddress: IPAddress
        let caller = Mutex<IPAddress?>(nil)
        let remotePort: UInt16?
        let peer: UnixPeer?
        let isSecure: Bool
        @usableFromInline let id: RequestID

        init(
            method: HTTPMethod, target: [UInt8], headers: HTTPHeaders, body: [UInt8], remoteAddress: IPAddress,
            remotePort: UInt16?, peer: UnixPeer?, isSecure: Bool, id: RequestID, normaliser: PathNormaliser
        ) {
            let questionMark = target.firstIndex(of: UInt8(ascii: "?"))
            self.method = method
            self.target = target
            self.path = normaliser.path(ofTarget: target[..<(questionMark ?? target.endIndex)])
            self.query = HTTPParameters(questionMark.map { target[($0 + 1)...] } ?? [])
            self.headers = headers
            self.body = body
            self.form = HTTPParameters(Self.formText(headers, body))
            self.remoteAddress = remoteAddress
            self.remotePort = remotePort
            self.peer = peer
            self.isSecure = isSecure
            self.id = id
        }

        /// Without a content type a body may be read as a form: such clients exist.
        private static func formText(_ headers: HTTPHeaders, _ body: [UInt8]) -> ArraySlice<UInt8> {
            guard !body.isEmpty else { return [] }
            let form = "application/x-www-form-urlencoded"
            if !headers.has("Content-Type", form), let type = headers["Content-Type"] {
                let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
                guard essence.elementsEqual(form.utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return [] }
            }
            return body.contains(UInt8(ascii: "=")) ? body[...] : []
        }
    }
}
