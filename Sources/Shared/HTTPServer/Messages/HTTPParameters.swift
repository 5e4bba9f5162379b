import Glibc
import TextCoding

/// Parameters of a query, a form body, or both, read as leniently as deployed clients need.
///
/// The text is split at `&` and at the first `=`; what can be percent-decoded is, what cannot stays as it is; `+` is a
/// space; bytes that are not UTF-8 become U+FFFD. It is decoded when it is asked for and not before: most requests
/// are answered after three or four names were looked up.
public struct HTTPParameters: Sendable {
    /// The query, the body, or both with `&` between: a later pair wins over an earlier one.
    let text: ArraySlice<UInt8>
    /// A bit for each name in it, as ``mark(_:)`` has it: half the names that are looked up are not there.
    private let marks: UInt64

    /// The parameters of one undecoded text, for example `a=1&b=x%20y`.
    package init(_ text: String = "") { self.init(Array(text.utf8)[...]) }

    /// Parameters whose names and values are already decoded, for example from a flat JSON object.
    package init(pairs: [(name: String, value: String)]) {
        var text: [UInt8] = []
        for pair in pairs {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            PercentCoding.appendEncoded(pair.name, to: &text)
            text.append(UInt8(ascii: "="))
            PercentCoding.appendEncoded(pair.value, to: &text)
        }
        self.init(text[...])
    }

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        self.marks = Self.marks(text)
    }

    /// The last value of `name`. Empty when the name came without `=`.
    package subscript(_ name: String) -> String? { self.undecoded(name).map(PercentCoding.decodedForm) }

    /// The same in bytes, which need not be UTF-8.
    package func bytes(_ name: String) -> ArraySlice<UInt8>? { self.undecoded(name).map(PercentCoding.formBytes) }

    /// The same as it came, with its codes.
    package func undecoded(_ name: String) -> ArraySlice<UInt8>? {
        guard self.marks & Self.mark(name.utf8.span) != 0 else { return nil }
        return self.place(ofLastValueOf: name).map { self.text[$0] }
    }

    package func all(_ name: String) -> [String] {
        // Byte for byte: two spellings of one character are two names.
        self.pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    package var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var rest = self.text
        while !rest.isEmpty {
            let pair = rest.prefix(rest.span.firstIndex(of: UInt8(ascii: "&")))
            rest = rest.dropFirst(pair.count + 1)
            let name = pair.prefix(pair.span.firstIndex(of: UInt8(ascii: "=")))
            // Neither `&&` nor `=` alone is a pair.
            guard !name.isEmpty || pair.count > 1 else { continue }
            pairs.append((PercentCoding.decodedForm(name), PercentCoding.decodedForm(pair.dropFirst(name.count + 1))))
        }
        return pairs
    }

    /// Whether there are more pairs than `limit`. Only marks are counted, in one pass and without decoding anything, so
    /// `a&&b` counts as three.
    package func exceed(pairs limit: Int) -> Bool {
        // So many pairs need as many marks and as many names.
        guard self.text.count > 2 * limit else { return false }
        return self.text.span.holds(limit, of: UInt8(ascii: "&"))
    }

    /// Whether a name occurs more than once. A name in both query and body counts as repeated.
    package var hasRepeatedName: Bool {
        guard self.exceed(pairs: 1) else { return false }
        var seen: Set<[UInt8]> = []
        return self.pairs.contains { !seen.insert(Array($0.name.utf8)).inserted }
    }

    /// These parameters, then `others`, whose values win.
    package func overridden(by others: HTTPParameters) -> HTTPParameters {
        if others.text.isEmpty { return self }
        return self.text.isEmpty ? others : HTTPParameters(self.text + [UInt8(ascii: "&")] + others.text)
    }

    /// The same walk as for ``pairs``, without making slices: every slice costs a reference count up and down.
    private func place(ofLastValueOf name: String) -> Range<Int>? {
        let text = self.text
        guard !text.isEmpty else { return nil }
        let (bytes, wanted) = (text.span, name.utf8)
        let letters = wanted.span
        var found: Range<Int>?
        var start = 0
        while start < bytes.count {
            let end = bytes.firstIndex(of: UInt8(ascii: "&"), from: start)
            var nameEnd = min(start + letters.count, end)
            let isName: Bool
            if self.marks == .max {
                nameEnd = bytes.extracting(0..<end).firstIndex(of: UInt8(ascii: "="), from: start)
                isName = PercentCoding.decodedForm(text[(text.startIndex + start)..<(text.startIndex + nameEnd)])
                    .utf8.elementsEqual(wanted)
            } else {
                isName =
                    (nameEnd == end || bytes[nameEnd] == UInt8(ascii: "="))
                    && bytes.extracting(start..<nameEnd).elementsEqual(letters)
            }
            let valueStart = min(nameEnd + 1, end)
            // Neither `&&` nor `=` alone is a pair.
            if isName, nameEnd > start || end > valueStart {
                found = text.startIndex + valueStart..<text.startIndex + end
            }
            start = end + 1
        }
        return found
    }
}

extension HTTPParameters {
    /// The bits of all names in `text`; every bit where a name is coded, or empty.
    private static func marks(_ text: ArraySlice<UInt8>) -> UInt64 {
        let bytes = text.span
        var (marks, start): (UInt64, Int) = (0, 0)
        while start < bytes.count {
            let end = bytes.firstIndex(of: UInt8(ascii: "&"), from: start)
            var nameEnd = start
            while nameEnd < end, bytes[nameEnd] != UInt8(ascii: "=") {
                if Self.isCoded(bytes[nameEnd]) { return .max }
                nameEnd += 1
            }
            marks |= Self.mark(bytes.extracting(start..<nameEnd))
            start = end + 1
        }
        return marks
    }

    private static func mark(_ name: Span<UInt8>) -> UInt64 {
        guard !name.isEmpty else { return .max }
        return 1 << UInt64((Int(name[0]) &* 6 &+ Int(name[name.count - 1]) &* 11 &+ name.count) & 63)
    }

    /// Whether a name that holds the byte may be another text than its bytes.
    private static func isCoded(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") || byte >= 0x80
    }
}

extension Span<UInt8> {
    /// Whether `byte` occurs so often, or more.
    func holds(_ number: Int, of byte: UInt8) -> Bool {
        var (found, start) = (0, 0)
        while found < number, start < self.count {
            start = self.firstIndex(of: byte, from: start) + 1
            if start <= self.count { found += 1 }
        }
        return found >= number
    }

    /// The first place of `byte` at `start` or behind it, or the end. By memchr(3): a value may be as long as a body, and
    /// is walked over once for each name that is asked for.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int {
        let rest = self.extracting(start..<self.count)
        return unsafe rest.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let place = unsafe memchr(base, Int32(byte), bytes.count) else {
                return self.count
            }
            return unsafe start + (UnsafeRawPointer(place) - base)
        }
    }
}
