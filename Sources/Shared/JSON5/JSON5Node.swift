/// A value of a JSON5 text: the bytes it stands on, and those of what is in it.
struct JSON5Node {
    enum Kind {
        case plain
        case list
        case object
    }

    /// An entry of a list or an object.
    struct Member {
        /// As it is written, without quotes; `nil` in a list.
        let key: String?
        /// Where the entry begins, with its key.
        let start: Int
        let value: JSON5Node
        /// Where the comma behind it stands; `nil` without one.
        var comma: Int?
    }

    let kind: Kind
    let bytes: Range<Int>
    let members: [Member]

    private init(_ kind: Kind, _ bytes: Range<Int>, _ members: [Member] = []) {
        self.kind = kind
        self.bytes = bytes
        self.members = members
    }

    /// Reads the value of a whole text, in which ``JSON5Places`` has found nothing broken: it also bounds the depth.
    init?(_ text: [UInt8]) {
        var tokens = JSON5Tokens(text)
        guard let first = tokens.next(), let node = Self.value(first, &tokens) else { return nil }
        self = node
    }

    /// Which of the members a step leads to.
    func place(of step: JSON5Document.Step) -> Int? {
        switch step {
        case .key(let key): self.kind == .object ? self.members.lastIndex { $0.key == key } : nil
        case .index(let index): self.kind == .list && self.members.indices.contains(index) ? index : nil
        }
    }

    private static func value(_ token: JSON5Tokens.Token, _ tokens: inout JSON5Tokens) -> JSON5Node? {
        switch token.kind {
        case .mark(UInt8(ascii: "{")): self.container(.object, from: token, &tokens)
        case .mark(UInt8(ascii: "[")): self.container(.list, from: token, &tokens)
        case .string, .word: JSON5Node(.plain, token.bytes)
        case .mark, .unfinished: nil
        }
    }

    private static func container(
        _ kind: Kind, from opening: JSON5Tokens.Token, _ tokens: inout JSON5Tokens
    ) -> JSON5Node? {
        let closing = kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        var members: [Member] = []
        while let token = tokens.next() {
            if token.kind == .mark(closing) {
                return JSON5Node(kind, opening.bytes.lowerBound..<token.bytes.upperBound, members)
            }
            if token.kind == .mark(UInt8(ascii: ",")) {
                guard !members.isEmpty else { return nil }
                members[members.count - 1].comma = token.bytes.lowerBound
                continue
            }
            var (key, first): (String?, JSON5Tokens.Token) = (nil, token)
            if kind == .object {
                switch token.kind {
                case .string(let text), .word(let text): key = text
                case .mark, .unfinished: return nil
                }
                guard let colon = tokens.next(), colon.kind == .mark(UInt8(ascii: ":")), let next = tokens.next()
                else { return nil }
                first = next
            }
            guard let value = self.value(first, &tokens) else { return nil }
            members.append(Member(key: key, start: token.bytes.lowerBound, value: value, comma: nil))
        }
        return nil
    }
}
