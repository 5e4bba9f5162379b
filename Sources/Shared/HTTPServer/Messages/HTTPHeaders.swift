import Glibc
import TextCoding

/// Header fields in the order they were added, looked up without regard to case (RFC 9110 5.1).
///
/// All fields live in one buffer, because a request's are copied for every request and most are never looked at. A
/// field cannot carry a control character, even if a value was made with one, so no answer can be split in two.
public struct HTTPHeaders: Sendable {
    /// `lengths name NUL value NUL`, repeated. Names hold only token characters, values no control characters.
    ///
    /// The lengths let a search go from name to name. Every request is searched for some ten names, and going through
    /// its values for each took a tenth of all the instructions of a poll, most of them in one long `Authorization`.
    private(set) var buffer: [UInt8] = []
    /// A bit for each name that was added, as ``mark(_:_:_:)`` has it: most fields that a request is searched for are not there.
    private var marks: UInt64 = 0

    package init() {}

    package init(_ fields: [(name: String, value: String)]) {
        for field in fields { self.add(field.name, field.value) }
    }

    /// The value of the first field called `name`.
    package subscript(_ name: StaticString) -> String? {
        self.bytes(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same in bytes, which need not be UTF-8.
    package func bytes(_ name: StaticString) -> ArraySlice<UInt8>? {
        var position = 0
        return self.nextField(named: name, &position).map { self.buffer[$0.value] }
    }

    package func all(_ name: StaticString) -> [String] {
        var values: [String] = []
        var position = 0
        while let field = self.nextField(named: name, &position) { values.append(self.text(field.value)) }
        return values
    }

    package func contains(_ name: StaticString) -> Bool {
        var position = 0
        return self.nextField(named: name, &position) != nil
    }

    /// Whether the first field called `name` has this value, in these very letters.
    package func has(_ name: StaticString, _ value: String) -> Bool {
        var position = 0
        let value = value.utf8
        return self.nextField(named: name, &position).map {
            self.buffer.span.extracting($0.value).elementsEqual(value.span)
        } ?? false
    }

    /// The address in the only field called `name`; `nil` when there is more in it, or another such field.
    package func address(_ name: StaticString) -> IPAddress? {
        var position = 0
        guard let field = self.nextField(named: name, &position), self.nextField(named: name, &position) == nil
        else { return nil }
        if let v4 = IPAddress.v4Word(self.buffer.span.extracting(field.value)) { return IPAddress(v4: v4) }
        return IPAddress(self.text(field.value))
    }

    package var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var position = 0
        while let field = self.nextField(&position) {
            fields.append((self.text(field.name), self.text(field.value)))
        }
        return fields
    }

    /// Adds a field after those that are there. A name that is not a token (RFC 9110 5.6.2) adds nothing; control
    /// characters in a value become spaces (RFC 9110 5.5).
    package mutating func add(_ name: String, _ value: String) {
        var name = name
        var value = value
        _ = name.withUTF8 { name in
            value.withUTF8 { value in
                unsafe self.add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Replaces every field called `name` by one.
    package mutating func set(_ name: StaticString, _ value: String) {
        self.remove(name)
        self.add(name.description, value)
    }

    package mutating func remove(_ name: StaticString) {
        guard self.contains(name) else { return }
        let old = self
        self.buffer.removeAll(keepingCapacity: true)
        var position = 0
        while let field = old.nextField(&position) {
            if !old.isField(field, named: name) {
                let start = field.name.lowerBound - Self.lengthsSize
                self.buffer.append(contentsOf: old.buffer[start...field.value.upperBound])
            }
        }
    }

    /// Adds a field as it lies in memory, which is how it comes from the wire, without the blanks after its value.
    /// - Returns: `false` when the name is not a token, or the value has a control character other than a tab.
    mutating func addReceived(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        var end = value.count
        while end > 0, unsafe Self.isBlank(value[end - 1]) { end -= 1 }
        let value = unsafe UnsafeRawBufferPointer(rebasing: value[..<end])
        if unsafe Self.hasControlCharacter(value) {
            guard unsafe value.allSatisfy({ $0 == 0x09 || !Self.isControlCharacter($0) }) else { return false }
            return unsafe self.add(name: name, value: value)
        }
        guard unsafe Self.isToken(name) else { return false }
        unsafe self.append(name, value)
        return true
    }

    /// Adds a field from texts that lie in memory. - Returns: `false` when the name is not a token.
    @discardableResult
    private mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        guard unsafe Self.isToken(name) else { return false }
        unsafe self.append(name, value)
        guard unsafe Self.hasControlCharacter(value) else { return true }
        // The value lies at the end, before its NUL.
        let start = self.buffer.count - 1 - value.count
        for index in start..<self.buffer.count - 1 where Self.isControlCharacter(self.buffer[index]) {
            self.buffer[index] = 0x20
        }
        return true
    }

    private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if self.buffer.isEmpty { self.buffer.reserveCapacity(Self.usualSize) }
        self.marks |= unsafe Self.mark(name[0], name[name.count - 1], name.count)
        let lengths = UInt64(UInt32(name.count)) << 32 | UInt64(UInt32(value.count))
        let valueStart = Self.lengthsSize + name.count + 1
        let size = valueStart + value.count + 1
        // One look at the capacity; appending piece by piece takes five.
        self.buffer.append(addingCapacity: size) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                unsafe bytes.storeBytes(of: lengths, as: UInt64.self)
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[Self.lengthsSize...]).copyMemory(from: name)
                unsafe bytes[valueStart - 1] = 0
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[valueStart...]).copyMemory(from: value)
                unsafe bytes[size - 1] = 0
                count = size
            }
        }
    }

    private static func isToken(_ name: UnsafeRawBufferPointer) -> Bool {
        // Names that most requests have are compared in one step.
        let usual: StaticString = name.count == 13 ? "Authorization" : name.count == 15 ? "X-Forwarded-For" : "Accept"
        return unsafe self.areEqual(self.bytes(usual), name)
            || !name.isEmpty && name.allSatisfy(self.tokenBytes.contains)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Looks at every byte, as nearly all of a request's are in values and control characters are rare: a loop that never
    /// ends early takes many bytes in one step.
    static func hasControlCharacter(_ bytes: UnsafeRawBufferPointer, orSpace: Bool = false) -> Bool {
        let limit: UInt8 = orSpace ? 0x21 : 0x20
        var marks: UInt8 = 0
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            marks |= (byte < limit ? 1 : 0 as UInt8) | (byte == 0x7F ? 1 : 0 as UInt8)
        }
        return marks != 0
    }

    private static func isControlCharacter(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Enough for most requests. Below what makes glibc tidy its small free blocks before it allocates, a kilobyte.
    private static let usualSize = 900

    // MARK: Walking the buffer

    /// The lengths before each name: its own and its value's, in one word of this machine.
    private static let lengthsSize = MemoryLayout<UInt64>.size

    struct Field: Equatable {
        /// Without the NULs that end them.
        let name: Range<Int>
        let value: Range<Int>
    }

    /// The field that starts at `position`, which moves behind it.
    func nextField(_ position: inout Int) -> Field? { Self.nextField(in: self.buffer.span, &position) }

    private static func nextField(in bytes: Span<UInt8>, _ position: inout Int) -> Field? {
        guard position < bytes.count else { return nil }
        let lengths = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
        let nameStart = position + self.lengthsSize
        let nameEnd = nameStart + Int(lengths >> 32)
        let valueEnd = nameEnd + 1 + Int(lengths & 0xFFFF_FFFF)
        position = valueEnd + 1
        return Field(name: nameStart..<nameEnd, value: nameEnd + 1..<valueEnd)
    }

    /// The first field called `name` from `position` on, which moves behind it.
    func nextField(named name: StaticString, _ position: inout Int) -> Field? {
        let wanted = unsafe Self.bytes(name)
        guard unsafe !wanted.isEmpty,
            unsafe self.marks & Self.mark(wanted[0], wanted[wanted.count - 1], wanted.count) != 0
        else { return nil }
        let bytes = self.buffer.span
        while position < bytes.count {
            let lengths = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            if Int(lengths >> 32) == wanted.count {
                guard let field = Self.nextField(in: bytes, &position) else { return nil }
                if unsafe Self.isField(field, of: bytes, named: wanted) { return field }
            } else {
                position += Self.lengthsSize + Int(lengths >> 32) + Int(lengths & 0xFFFF_FFFF) + 2
            }
        }
        return nil
    }

    private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let one = left.baseAddress, let other = right.baseAddress else { return false }
        return unsafe memcmp(one, other, left.count) == 0
    }

    private static func bytes(_ name: StaticString) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    /// One bit, which names that differ in more than case seldom share.
    private static func mark(_ first: UInt8, _ last: UInt8, _ count: Int) -> UInt64 {
        1 << UInt64((Int(first | 0x20) &* 6 &+ Int(last | 0x20) &* 11 &+ count) & 63)
    }

    func isField(_ field: Field, named name: StaticString) -> Bool {
        unsafe Self.isField(field, of: self.buffer.span, named: Self.bytes(name))
    }

    private static func isField(_ field: Field, of bytes: Span<UInt8>, named wanted: UnsafeRawBufferPointer) -> Bool {
        guard wanted.count == field.name.count else { return false }
        let name = bytes.extracting(field.name)
        // Most clients write names as we do.
        let isSame = unsafe name.withUnsafeBytes { unsafe Self.areEqual(wanted, $0) }
        guard !isSame else { return true }
        for offset in 0..<wanted.count where unsafe self.lowercased(wanted[offset]) != self.lowercased(name[offset]) {
            return false
        }
        return true
    }

    func text(_ range: Range<Int>) -> String { String(decoding: self.buffer[range], as: UTF8.self) }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Letters, digits and ``!#$%&'*+-.^_`|~``.
    private static var tokenBytes: ASCIISet { ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
}

/// A set of characters of ASCII, a bit for each.
struct ASCIISet {
    /// The characters below 0x40.
    let low: UInt64
    let high: UInt64

    func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 0x40 ? self.low : self.high) >> UInt64(byte & 0x3F) & 1 != 0
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
