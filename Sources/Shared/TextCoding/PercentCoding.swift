// TextCoding: what several wires share about text: percent-encoding, JSON strings, days of the calendar, tables of names.
//
// It leaves to its neighbours: what the text means, and whole documents. XML text stays with Clientless, Base 64 and
// hexadecimal digits with Cryptography.

/// Percent-encoding (RFC 3986 2.1). A `%` that two hexadecimal digits do not follow stands for itself, except where the
/// name says otherwise.
package enum PercentCoding {
    /// Decodes text. Bytes that are not UTF-8 become U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String { self.decoded(Array(text.utf8)[...]) }

    /// Decodes a path segment. Bytes that are not UTF-8 become U+FFFD.
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: self.decodedBytes(bytes, plusIsSpace: false), as: UTF8.self)
    }

    /// Decodes a name or a value of a form or a query, where `+` is a space.
    package static func decodedForm(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: self.formBytes(bytes), as: UTF8.self)
    }

    /// The same, without a look whether the bytes are UTF-8.
    package static func formBytes(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.span.hasCode ? self.decodedBytes(bytes, plusIsSpace: true)[...] : bytes
    }

    /// Encodes every byte that is not unreserved (RFC 3986 2.3).
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        self.appendEncoded(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func appendEncoded(_ text: String, to bytes: inout [UInt8]) {
        let span = text.utf8.span
        bytes.reserveCapacity(bytes.count + span.count + 16)
        for offset in span.indices {
            let byte = span[offset]
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(self.hexadecimal(byte >> 4))
                bytes.append(self.hexadecimal(byte & 15))
            }
        }
    }

    /// Names and values as `application/x-www-form-urlencoded`, spaces as `%20`, which every reader takes.
    package static func form(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(self.encoded($0.0))=\(self.encoded($0.1))" }.joined(separator: "&")
    }

    /// Decodes text in which nothing but codes may begin with `%`.
    /// - Returns: `nil` when a `%` stands without two hexadecimal digits.
    package static func strictlyDecoded(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        // As an array: a generic text would be asked for each byte anew.
        var rest = Array(text.utf8).makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(self.digit), let low = rest.next().flatMap(self.digit) else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result
    }

    /// Whether a path segment, decoded, is `name`, in which there is no `%`.
    package static func isSegment(_ segment: Span<UInt8>, equalTo name: Span<UInt8>) -> Bool {
        // Decoding only makes shorter.
        if segment.count <= name.count { return segment.elementsEqual(name) }
        guard segment.indices.contains(where: { segment[$0] == UInt8(ascii: "%") }) else { return false }
        let bytes = segment.indices.map { segment[$0] }
        return self.decodedBytes(bytes[...], plusIsSpace: false).span.elementsEqual(name)
    }

    private static func decodedBytes(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while !rest.isEmpty {
            let plain = rest.prefix(rest.span.placeOfCode)
            result += plain
            rest = rest.dropFirst(plain.count)
            guard let byte = rest.popFirst() else { break }
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = self.digit(rest[rest.startIndex]),
                let low = self.digit(rest[rest.startIndex + 1])
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return result
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x37) }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

extension Span<UInt8> {
    // A loop that never ends early takes many bytes in one step.

    package func elementsEqual(_ other: Span<UInt8>) -> Bool {
        guard self.count == other.count else { return false }
        var marks: UInt8 = 0
        for offset in self.indices { marks |= self[offset] ^ other[offset] }
        return marks == 0
    }

    package func holds(_ byte: UInt8) -> Bool {
        var marks: UInt8 = 0
        for offset in self.indices { marks |= self[offset] == byte ? 1 : 0 }
        return marks != 0
    }

    /// Whether a value of a form that holds them may be another text than they are.
    fileprivate var hasCode: Bool {
        var marks: UInt8 = 0
        for offset in self.indices {
            marks |= (self[offset] == UInt8(ascii: "%") ? 1 : 0) | (self[offset] == UInt8(ascii: "+") ? 1 : 0)
        }
        return marks != 0
    }

    /// The place of the first byte that may begin a code, or the end.
    fileprivate var placeOfCode: Int {
        var place = 0
        while place + 32 <= self.count, !self.extracting(place..<place + 32).hasCode { place += 32 }
        while place < self.count, self[place] != UInt8(ascii: "%"), self[place] != UInt8(ascii: "+") { place += 1 }
        return place
    }

    /// The FNV-1a hash. A stranger can find other bytes with the same.
    package var hash: UInt32 {
        var hash: UInt32 = 2_166_136_261
        for offset in self.indices { hash = (hash ^ UInt32(self[offset])) &* 16_777_619 }
        return hash
    }

    /// A hash under a key of this process, with `number` in it: for tables to which strangers add. It takes eight bytes at a
    /// time; one at a time takes five times as long.
    package func keyedHash(with number: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(self.count)
        var offset = 0
        while offset + 8 <= self.count {
            hasher.combine(self.word(at: offset, count: 8))
            offset += 8
        }
        hasher.combine(self.word(at: offset, count: self.count - offset))
        return hasher.finalize()
    }

    /// `count` bytes, at most eight, as a number.
    @inline(__always) package func word(at offset: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + count { word = word << 8 | UInt64(self[index]) }
        return word
    }

    /// Whether all are printable ASCII.
    package var isPrintable: Bool {
        var marks: UInt8 = 0
        for offset in self.indices { marks |= self[offset] &- 0x20 < 0x5F ? 0 : 1 }
        return marks == 0
    }

    /// Whether all are printable ASCII without a blank.
    package var isVisible: Bool {
        var marks: UInt8 = 0
        for offset in self.indices { marks |= self[offset] &- 0x21 < 0x5E ? 0 : 1 }
        return marks == 0
    }
}
