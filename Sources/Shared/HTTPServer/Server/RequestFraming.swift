/// Decides, from the headers alone, what to do with the body of a request.
///
/// If two fields could disagree about where a request ends, a proxy in front and this server could read two different
/// requests out of the same bytes; such requests are refused (RFC 9112 6.3, 11.2). So are requests that do not say for
/// which host they are, or say it twice (RFC 9112 3.2).
enum RequestFraming {
    /// A body of this many bytes, `nil` when only the end will tell, and never more than the limit.
    case expected(Int?, limit: Int)
    /// Too long: to be read and thrown away, then 413.
    case discarded
    /// Too long: 413 at once.
    case refused
    /// Its length cannot be told, or the host: 400.
    case unclear

    /// - Parameters:
    ///   - isVersion10: whether the request is one of HTTP/1.0, which knows no chunks and needs no host.
    ///   - routeLimit: bytes of body that the route of the request allows, `nil` if it says nothing. Asked only when
    ///     there is a body.
    init(_ headers: HTTPHeaders, isVersion10: Bool, limits: RequestLimits, routeLimit: () -> Int?) {
        let fields = FramingFields(headers)
        guard fields.areSound, fields.hostCount == 1 || (isVersion10 && fields.hostCount == 0) else {
            self = .unclear
            return
        }
        if fields.isChunked {
            let limit = min(routeLimit() ?? .max, limits.bodySize)
            self = isVersion10 ? .unclear : .expected(nil, limit: limit)
            return
        }
        let size = fields.length ?? 0
        if size > 0, let limit = routeLimit(), size > limit {
            self = .refused
        } else if size <= limits.bodySize {
            self = .expected(size, limit: size)
        } else {
            let isRefused = size > limits.discardedSize || headers.contains("Expect")
            self = isRefused ? .refused : .discarded
        }
    }
}

/// The fields that frame a request.
private struct FramingFields {
    private(set) var hostCount = 0
    private(set) var isChunked = false
    /// `nil` without the field.
    private(set) var length: Int?
    /// Whether each is there once at most, in the one form that every reader understands, and not both lengths.
    private(set) var areSound = true

    init(_ headers: HTTPHeaders) {
        var position = 0
        while let field = headers.nextField(named: "Host", &position) {
            self.hostCount += 1
            let bytes = headers.buffer.span
            for index in field.value where !Self.hostBytes.contains(bytes[index]) { self.areSound = false }
        }
        position = 0
        while let field = headers.nextField(named: "Content-Length", &position) {
            let size = Self.number(headers.buffer[field.value])
            if size == nil || self.length != nil { self.areSound = false }
            self.length = size
        }
        position = 0
        while let field = headers.nextField(named: "Transfer-Encoding", &position) {
            let isKnown = headers.buffer[field.value].elementsEqual("chunked".utf8) { $0 | 0x20 == $1 }
            if !isKnown || self.isChunked { self.areSound = false }
            self.isChunked = true
        }
        if self.isChunked, self.length != nil { self.areSound = false }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The characters of `uri-host [ ":" port ]` (RFC 3986 3.2.2).
    private static var hostBytes: ASCIISet { ASCIISet(low: 0x2FFF_7FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE) }
}
