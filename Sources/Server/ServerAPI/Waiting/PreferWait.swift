import HTTPServer

/// The `wait` preference of a `Prefer` header: how long the caller would like its answer held (RFC 7240 4.3).
package struct PreferWait: Hashable, Sendable {
    /// The longest wait; more is clamped (sdk-services 8).
    package static let maximum = 55

    /// Whole seconds, 1 to ``maximum``.
    package let seconds: Int

    /// Reads the `Prefer` fields of a request, which count as one (RFC 7240 2).
    init?(of request: HTTPRequest) {
        guard request.headers.contains("Prefer") else { return nil }
        self.init(request.headers.all("Prefer").joined(separator: ","))
    }

    /// Reads a header's value: preferences separated by commas, each `name[=value]` with parameters after `;`, a value
    /// being a token or a quoted string, names in any case. The first `wait` counts (RFC 7240 2).
    /// - Returns: `nil` when `wait` is not named, is not a number of seconds, is zero, or the header is malformed.
    package init?(_ value: some StringProtocol) {
        guard value.utf8.count <= 1024 else { return nil }
        var reader = Reader(bytes: Array(value.utf8))
        guard let seconds = reader.firstWait(), seconds > 0 else { return nil }
        self.seconds = min(seconds, Self.maximum)
    }

    /// The value of `Preference-Applied`.
    package var applied: String { "wait=\(self.seconds)" }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

        /// Reads the whole header, so that a malformed rest spoils it.
        /// - Returns: the value of the first `wait`; `nil` when there is none or the header is malformed.
        mutating func firstWait() -> Int? {
            var found: [UInt8]??
            while true {
                self.skipSpace()
                if self.next == UInt8(ascii: ",") {
                    self.position += 1
                    continue
                }
                guard self.next != nil else { break }
                guard let (name, value) = self.pair() else { return nil }
                if found == nil, name.elementsEqual("wait".utf8) { found = .some(value) }
                guard self.parameters() else { return nil }
                guard self.next == nil || self.next == UInt8(ascii: ",") else { return nil }
            }
            guard case .some(.some(let digits)) = found else { return nil }
            return Self.number(digits)
        }

        /// `;`-separated parameters after a preference; they mean nothing for `wait`.
        private mutating func parameters() -> Bool {
            self.skipSpace()
            while self.next == UInt8(ascii: ";") {
                self.position += 1
                self.skipSpace()
                if self.next == nil || self.next == UInt8(ascii: ";") || self.next == UInt8(ascii: ",") { continue }
                guard self.pair() != nil else { return false }
                self.skipSpace()
            }
            return true
        }

        /// `token [ "=" ( token | quoted-string ) ]`, the name in lower case.
        private mutating func pair() -> ([UInt8], value: [UInt8]?)? {
            guard let name = self.token() else { return nil }
            let lower = name.map(\.lowercased)
            self.skipSpace()
            guard self.next == UInt8(ascii: "=") else { return (lower, nil) }
            self.position += 1
            self.skipSpace()
            guard let value = self.next == UInt8(ascii: "\"") ? self.quoted() : self.token() else { return nil }
            return (lower, value)
        }

        private mutating func token() -> [UInt8]? {
            let start = self.position
            while let byte = self.next, Self.isTokenByte(byte) { self.position += 1 }
            return self.position > start ? Array(self.bytes[start..<self.position]) : nil
        }

        private mutating func quoted() -> [UInt8]? {
            self.position += 1
            var value: [UInt8] = []
            while let byte = self.next {
                self.position += 1
                switch byte {
                case UInt8(ascii: "\""): return value
                case UInt8(ascii: "\\"):
                    guard let escaped = self.next else { return nil }
                    self.position += 1
                    value.append(escaped)
                default: value.append(byte)
                }
            }
            return nil
        }

        private mutating func skipSpace() {
            while self.next == UInt8(ascii: " ") || self.next == UInt8(ascii: "\t") { self.position += 1 }
        }

        /// Decimal digits; a number too large to hold is as good as the maximum.
        private static func number(_ digits: [UInt8]) -> Int? {
            guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Int(String(decoding: digits, as: UTF8.self)) ?? PreferWait.maximum
        }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
