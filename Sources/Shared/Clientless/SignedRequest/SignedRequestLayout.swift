/// The places of the parts of a signed header, in bytes from its beginning.
struct SignedRequestLayout: Sendable {
    static let maximumNonceLength = 128
    static let maximumKeyLength = 128
    /// Pairs we do not know, such as the console's `x` (rest-v1 7.2).
    static let maximumForeignPairs = 8

    /// The HTTP verb that was signed, which need not be the request's.
    private(set) var verb = 0..<0
    private(set) var requestor = 0..<0
    private(set) var nonce = 0..<0
    /// It may hold spaces, commas and equals signs.
    private(set) var requestURI = 0..<0
    private(set) var publicKey = 0..<0
    private(set) var signedText = 0..<0
    private(set) var signature = 0..<0
    /// In milliseconds; `nil` when there are not exactly 13 digits.
    private(set) var time: Int64?

    init(_ header: Span<UInt8>) throws(SignedRequestError) {
        guard header.count <= SignedRequestHeader.maximumLength else { throw .tooLong }
        var start = 0
        var end = header.count
        while start < end, Self.isSpace(header[start]) { start += 1 }
        while start < end, Self.isSpace(header[end - 1]) { end -= 1 }

        guard let publicKey = Self.publicKey(in: header, start..<end) else { throw .malformed }
        self.publicKey = publicKey
        self.signature = publicKey.upperBound + Self.signatureMark.count..<end
        self.signedText = start..<publicKey.lowerBound - Self.publicKeyMark.count
        try self.readSignedText(header)
    }

    /// The place of the public key; `nil` when it is missing or too long.
    static func publicKey(in header: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        // From the right: a URI may hold anything, also texts that look like these marks.
        let usual = range.upperBound - Self.signatureSize - Self.signatureMark.count
        let isUsual = usual >= range.lowerBound && header.comes(Self.signatureMark, at: usual, before: range.upperBound)
        guard let signatureMark = isUsual ? usual : header.lastOffset(of: Self.signatureMark, in: range),
            let keyMark = header.lastOffset(of: Self.publicKeyMark, in: range.lowerBound..<signatureMark)
        else { return nil }
        let publicKey = keyMark + Self.publicKeyMark.count..<signatureMark
        return (1...Self.maximumKeyLength).contains(publicKey.count) ? publicKey : nil
    }

    /// Reads the verb and the pairs up to `request_uri`. The four pairs before it come in their order, each once, with
    /// foreign pairs between them.
    private mutating func readSignedText(_ header: Span<UInt8>) throws(SignedRequestError) {
        var position = self.signedText.lowerBound
        let end = self.signedText.upperBound
        while position < end, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(header[position]) { position += 1 }
        self.verb = self.signedText.lowerBound..<position
        guard (1...16).contains(self.verb.count), position < end, header[position] == UInt8(ascii: " ") else {
            throw .malformed
        }
        position += 1

        var known = 0
        var foreign = 0
        while true {
            let isKnown = known < Self.names.count && header.comes(Self.names[known], at: position, before: end)
            if !isKnown, header.comes(Self.requestURIName, at: position, before: end) { break }
            // No name has a separator in it.
            let valueStart = isKnown ? position + Self.names[known].count : position
            guard let pairEnd = header.firstOffset(of: Self.separator, in: valueStart..<end) else { throw .malformed }
            if isKnown {
                try self.take(known, valueStart..<pairEnd, of: header)
                known += 1
            } else {
                foreign += 1
                guard foreign <= Self.maximumForeignPairs,
                    header.isForeignPair(in: position..<pairEnd, notAnyOf: Self.names)
                else { throw .malformed }
            }
            position = pairEnd + Self.separator.count
        }
        self.requestURI = position + Self.requestURIName.count..<end
        guard known == Self.names.count, !self.requestURI.isEmpty else { throw .malformed }
    }

    private mutating func take(_ index: Int, _ value: Range<Int>, of header: Span<UInt8>) throws(SignedRequestError) {
        switch index {
        case 0:
            guard !value.isEmpty else { throw .malformed }
            self.requestor = value
        case 1:
            guard (1...Self.maximumNonceLength).contains(value.count) else { throw .malformed }
            self.nonce = value
        case 2:
            guard value.count == Self.method.count,
                header.comes(Self.method, at: value.lowerBound, before: value.upperBound)
            else { throw .unsupportedMethod }
        default:
            self.time = header.number(ofDigits: 13, in: value)
        }
    }

    private static let signatureMark = Array(", signature=".utf8)
    /// Of a code in Base64. One that holds another mark is no Base64.
    private static let signatureSize = 28
    private static let publicKeyMark = Array(", public_key=".utf8)
    private static let requestURIName = Array("request_uri=".utf8)
    private static let separator = Array(", ".utf8)
    private static let method = Array("HMAC-SHA1".utf8)
    private static let names = ["requestor_id=", "nonce=", "signature_method=", "request_time="].map { Array($0.utf8) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

extension Span<UInt8> {
    fileprivate func firstOffset(of mark: [UInt8], in range: Range<Int>) -> Int? {
        let (first, last) = (mark[0], range.upperBound - mark.count)
        var offset = range.lowerBound
        while offset <= last {
            if self[offset] == first, self.comes(mark, at: offset, before: range.upperBound) { return offset }
            offset += 1
        }
        return nil
    }

    fileprivate func lastOffset(of mark: [UInt8], in range: Range<Int>) -> Int? {
        let first = mark[0]
        var offset = range.upperBound - mark.count
        while offset >= range.lowerBound {
            if self[offset] == first, self.comes(mark, at: offset, before: range.upperBound) { return offset }
            offset -= 1
        }
        return nil
    }

    /// Whether the bytes are a name, an equals sign and a value, and the name is none of ours out of its place.
    fileprivate func isForeignPair(in range: Range<Int>, notAnyOf names: [[UInt8]]) -> Bool {
        guard let equals = self.firstOffset(of: [UInt8(ascii: "=")], in: range), equals > range.lowerBound else {
            return false
        }
        return !names.contains { self.comes($0, at: range.lowerBound, before: range.upperBound) }
    }

    fileprivate func number(ofDigits digits: Int, in range: Range<Int>) -> Int64? {
        guard range.count == digits else { return nil }
        var number: Int64 = 0
        for offset in range {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[offset]) else { return nil }
            number = number * 10 + Int64(self[offset] - UInt8(ascii: "0"))
        }
        return number
    }
}
