/// Header fields in the order they were added, looked up without regard to case (RFC 9110 5.1).
///
/// All fields live in one buffer, because a request's are copied for every request and most are never looked at. A
/// field cannot carry a control character, whatever a value was made of, so no answer can be split in two.
package struct HTTPHeaders: Sendable {
    /// `name NUL value NUL`, repeated. Names hold only token characters, values no control characters.
    private(set) var buffer: [UInt8]

    package init() {
        self.buffer = []
    }

    package init(_ fields: [(name: String, value: String)]) {
        self.buffer = []
        for field in fields { self.add(field.name, field.value) }
    }

    package var isEmpty: Bool { self.buffer.isEmpty }

    /// The value of the first field called `name`.
    package subscript(_ name: String) -> String? {
        var position = 0
        while let field = self.nextField(&position) {
            if self.isField(field, named: name) { return self.text(field.value) }
        }
        return nil
    }

    /// The values of every field called `name`, in order.
    package func all(_ name: String) -> [String] {
        var values: [String] = []
        var position = 0
        while let field = self.nextField(&position) {
            if self.isField(field, named: name) { values.append(self.text(field.value)) }
        }
        return values
    }

    package func contains(_ name: String) -> Bool {
        var position = 0
        while let field = self.nextField(&position) {
            if self.isField(field, named: name) { return true }
        }
        return false
    }

    /// Every field, in order, as added.
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
        name.withUTF8 { name in
            value.withUTF8 { value in
                unsafe self.add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Replaces every field called `name` by one.
    package mutating func set(_ name: String, _ value: String) {
        self.remove(name)
        self.add(name, value)
    }

    package mutating func remove(_ name: String) {
        guard self.contains(name) else { return }
        let old = self
        self.buffer.removeAll(keepingCapacity: true)
        var position = 0
        while let field = old.nextField(&position) {
            if !old.isField(field, named: name) {
                self.buffer.append(contentsOf: old.buffer[field.name.lowerBound...field.value.upperBound])
            }
        }
    }

    /// The same fields, with every field called `name` replaced by one.
    package func setting(_ name: String, _ value: String) -> HTTPHeaders {
        var copy = self
        copy.set(name, value)
        return copy
    }

    /// Adds a field from texts that lie in memory as they are, which is how they come from the wire.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let start = self.buffer.count
        if start == 0 { self.buffer.reserveCapacity(Self.usualSize) }
        unsafe self.buffer.append(contentsOf: name)
        let nameEnd = self.buffer.count
        self.buffer.append(0)
        unsafe self.buffer.append(contentsOf: value)
        let valueEnd = self.buffer.count
        self.buffer.append(0)
        guard nameEnd > start, Self.isToken(self.buffer.span.extracting(start..<nameEnd)) else {
            self.buffer.removeLast(self.buffer.count - start)
            return
        }
        for index in nameEnd + 1..<valueEnd where self.buffer[index] < 0x20 || self.buffer[index] == 0x7F {
            self.buffer[index] = 0x20
        }
    }

    /// Enough for most requests. Below what makes glibc tidy its small free blocks before it allocates, a kilobyte.
    private static let usualSize = 900

    // MARK: Walking the buffer

    struct Field {
        /// Without the NULs that end them.
        let name: Range<Int>
        let value: Range<Int>
    }

    /// The field that starts at `position`, which moves behind it.
    func nextField(_ position: inout Int) -> Field? {
        let bytes = self.buffer.span
        guard position < bytes.count else { return nil }
        let nameEnd = Self.endOfText(from: position, in: bytes)
        let valueEnd = Self.endOfText(from: nameEnd + 1, in: bytes)
        let field = Field(name: position..<nameEnd, value: nameEnd + 1..<valueEnd)
        position = valueEnd + 1
        return field
    }

    private static func endOfText(from start: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while bytes[index] != 0 { index += 1 }
        return index
    }

    func isField(_ field: Field, named name: String) -> Bool {
        let wanted = name.utf8
        guard wanted.count == field.name.count else { return false }
        let bytes = self.buffer.span
        var index = field.name.lowerBound
        for byte in wanted {
            if Self.lowercased(byte) != Self.lowercased(bytes[index]) { return false }
            index += 1
        }
        return true
    }

    /// The text of a name or a value.
    func text(_ range: Range<Int>) -> String {
        String(decoding: self.buffer[range], as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !self.isTokenByte(bytes[index]) { return false }
        return true
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
