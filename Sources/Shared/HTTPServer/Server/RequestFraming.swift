/// Decides, from the headers alone, what to do with the body of a request.
///
/// Where two fields could disagree about where a request ends, a proxy in front and this server could read two
/// different requests out of the same bytes; such requests are refused (RFC 9112 6.3, 11.2).
struct RequestFraming: Equatable {
    enum Body: Equatable {
        /// Of this many bytes, `nil` when only the end will tell.
        case expected(Int?)
        /// Too long: to be read and thrown away, then 413.
        case discarded
        /// Too long: 413 at once.
        case refused
        /// Its length cannot be told: 400.
        case unclear
    }

    let body: Body

    init(_ headers: HTTPHeaders, limits: RequestLimits) {
        let encodings = headers.all("Transfer-Encoding")
        let lengths = headers.all("Content-Length")
        if let encoding = encodings.first {
            let isChunked = encoding.utf8.elementsEqual("chunked".utf8) { $0 | 0x20 == $1 }
            self.body = isChunked && encodings.count == 1 && lengths.isEmpty ? .expected(nil) : .unclear
            return
        }
        guard let length = lengths.first else {
            self.body = .expected(0)
            return
        }
        let isNumber = (1...18).contains(length.utf8.count) && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let size = Int(length), lengths.allSatisfy({ $0 == length }) else {
            self.body = .unclear
            return
        }
        if size <= limits.bodySize {
            self.body = .expected(size)
        } else {
            let isRefused = size > limits.discardedSize || headers.contains("Expect")
            self.body = isRefused ? .refused : .discarded
        }
    }
}
