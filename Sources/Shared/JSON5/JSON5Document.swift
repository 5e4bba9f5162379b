/// The text of a configuration with the place of every value in it: one value changes, and all other bytes, comments
/// too, stay as they were.
package struct JSON5Document: Hashable, Sendable {
    /// The way from a value to one in it.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// A value to be written, over several lines where it is a group.
    package enum Fragment: Hashable, Sendable {
        case value(JSON5Value)
        /// In the order in which they are written.
        case group([Field])
    }

    /// A member of a group.
    package struct Field: Hashable, Sendable {
        package let key: String
        package let value: JSON5Value

        package init(_ key: String, _ value: JSON5Value) {
            self.key = key
            self.value = value
        }

        var source: String { "\(JSON5Value.key(self.key)): \(self.value.source)" }
    }

    /// The longest line that gets longer by what is added.
    private static let width = 120
    private static let indentation: [UInt8] = Array("    ".utf8)

    package private(set) var bytes: [UInt8]

    /// - Returns: `nil` for a text that is no JSON5; ``JSON5Places`` says where it breaks.
    package init?(_ bytes: [UInt8]) {
        guard JSON5Places(bytes).broken == nil, JSON5Node(bytes) != nil else { return nil }
        self.bytes = bytes
    }

    /// Puts a value at the end of the list at `path`.
    /// - Returns: false, and nothing changed, when there is no list.
    package mutating func append(_ fragment: Fragment, to path: [Step]) -> Bool {
        guard let list = self.node(at: path), list.kind == .list else { return false }
        self.insert(fragment, key: nil, into: list)
        return true
    }

    /// Gives the object at `path` a member, in place of its own of that key.
    /// - Returns: false, and nothing changed, when there is no object.
    package mutating func set(_ key: String, _ value: JSON5Value, in path: [Step]) -> Bool {
        guard let object = self.node(at: path), object.kind == .object else { return false }
        if let member = object.members.last(where: { $0.key == key }) {
            self.bytes.replaceSubrange(member.value.bytes, with: Array(value.source.utf8))
        } else {
            self.insert(.value(value), key: key, into: object)
        }
        return true
    }

    /// Takes the value at `path` away, with its key, its comma, and the comment behind it on its last line. Comments on
    /// lines before it stay.
    /// - Returns: false, and nothing changed, when there is none.
    package mutating func remove(_ path: [Step]) -> Bool {
        guard let last = path.last, let container = self.node(at: Array(path.dropLast())),
            let place = container.place(of: last)
        else { return false }
        let member = container.members[place]
        var gone = member.start..<(member.comma.map { $0 + 1 } ?? member.value.bytes.upperBound)
        if self.beginsLine(gone.lowerBound), let end = self.lineEnd(after: gone.upperBound) {
            gone = self.lineStart(of: gone.lowerBound)..<end
        } else if member.comma == nil, place > 0, let comma = container.members[place - 1].comma,
            self.isBlank(comma + 1..<gone.lowerBound)
        {
            gone = comma..<gone.upperBound
        } else {
            gone = gone.lowerBound..<self.end(ofSpaceAfter: gone.upperBound)
        }
        self.bytes.removeSubrange(gone)
        return true
    }

    private func node(at path: [Step]) -> JSON5Node? {
        var node = JSON5Node(self.bytes)
        for step in path {
            guard let current = node, let place = current.place(of: step) else { return nil }
            node = current.members[place].value
        }
        return node
    }

    // MARK: Writing

    private mutating func insert(_ fragment: Fragment, key: String?, into container: JSON5Node) {
        let name = key.map { "\(JSON5Value.key($0)): " } ?? ""
        let closing = container.bytes.upperBound - 1
        let isOneLine = !self.bytes[container.bytes].contains(UInt8(ascii: "\n"))
        if isOneLine, let last = container.members.last, case .value(let value) = fragment {
            let text = Array("\(name)\(value.source)".utf8)
            let end = self.bytes[closing...].firstIndex(of: UInt8(ascii: "\n")) ?? self.bytes.count
            if end - self.lineStart(of: closing) + text.count + 2 <= Self.width {
                let comma = Array(", ".utf8)
                if let place = last.comma {
                    self.bytes.insert(contentsOf: [UInt8(ascii: " ")] + text + [UInt8(ascii: ",")], at: place + 1)
                } else {
                    self.bytes.insert(contentsOf: comma + text, at: last.value.bytes.upperBound)
                }
                return
            }
        }
        self.insertLine(fragment, name: name, into: container, closing: closing)
    }

    /// Writes on a line of its own, before the line of the closing bracket.
    private mutating func insertLine(_ fragment: Fragment, name: String, into container: JSON5Node, closing: Int) {
        let closesLine = self.beginsLine(closing) && self.lineStart(of: closing) > container.bytes.lowerBound
        let outer = self.leadingSpace(of: closesLine ? closing : container.bytes.lowerBound)
        var inner = outer + Self.indentation
        if let first = container.members.first, self.beginsLine(first.start),
            self.lineStart(of: first.start) > container.bytes.lowerBound
        {
            inner = self.leadingSpace(of: first.start)
        }
        let lines = Self.lines(of: fragment, name: name, indentation: inner)
        if closesLine {
            self.bytes.insert(contentsOf: lines, at: self.lineStart(of: closing))
        } else {
            let space = self.start(ofSpaceBefore: closing)
            self.bytes.replaceSubrange(space..<closing, with: [UInt8(ascii: "\n")] + lines + outer)
        }
        // Stands before what was inserted.
        if let last = container.members.last, last.comma == nil {
            self.bytes.insert(UInt8(ascii: ","), at: last.value.bytes.upperBound)
        }
    }

    private static func lines(of fragment: Fragment, name: String, indentation: [UInt8]) -> [UInt8] {
        let newline = [UInt8(ascii: "\n")]
        switch fragment {
        case .value(let value): return indentation + Array("\(name)\(value.source),".utf8) + newline
        case .group(let fields):
            var text = indentation + Array("\(name){".utf8) + newline
            for field in fields {
                text += indentation + Self.indentation + Array("\(field.source),".utf8) + newline
            }
            return text + indentation + Array("},".utf8) + newline
        }
    }

    // MARK: Lines

    private func lineStart(of position: Int) -> Int {
        self.bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }

    private func leadingSpace(of position: Int) -> [UInt8] {
        Array(self.bytes[self.lineStart(of: position)...].prefix { Self.isSpace($0) && $0 != UInt8(ascii: "\n") })
    }

    /// Whether nothing but space stands before it on its line.
    private func beginsLine(_ position: Int) -> Bool { self.isBlank(self.lineStart(of: position)..<position) }

    /// The end of the line with its line end, when nothing but space and one comment follow; `nil` when more does.
    private func lineEnd(after position: Int) -> Int? {
        let end = self.bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
        let rest = self.bytes[position..<(end ?? self.bytes.count)].drop(while: Self.isSpace)
        guard rest.isEmpty || rest.starts(with: "//".utf8) else { return nil }
        return end.map { $0 + 1 } ?? self.bytes.count
    }

    private func end(ofSpaceAfter position: Int) -> Int {
        self.bytes[position...].firstIndex { $0 != UInt8(ascii: " ") } ?? self.bytes.count
    }

    private func start(ofSpaceBefore position: Int) -> Int {
        self.bytes[..<position].lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? 0
    }

    private func isBlank(_ range: Range<Int>) -> Bool { self.bytes[range].allSatisfy(Self.isSpace) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}
