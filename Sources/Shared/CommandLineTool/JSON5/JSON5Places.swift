/// The line of every value of a JSON5 text, keys given twice, and the first place where the text stops making sense.
///
/// The toolchain's decoder is the authority on values; but it says neither where one stood nor where a text is broken.
package struct JSON5Places {
    /// The line a value begins on, by its place.
    package private(set) var lines: [SettingPath: Int] = [:]
    /// Keys given again in the same object, which a decoder would silently drop.
    package private(set) var repeated: [(path: SettingPath, line: Int)] = []
    /// The place from which on the text is no JSON5; nothing after it was looked at.
    package private(set) var broken: ConfigurationFault?

    /// The bytes that some editors write before a text.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private enum Expectation {
        case value
        case keyOrEnd
        case colon
        case commaOrEnd
        case nothing
    }

    /// An object or list that has begun and not ended.
    private struct Container {
        let path: SettingPath
        let isObject: Bool
        let line: Int
        var keys: Set<String> = []
        var count = 0
        var current: SettingPath
    }

    /// More than any setting needs; paths get longer with each level.
    private static let maximumDepth = 32

    private var open: [Container] = []
    private var expected = Expectation.value

    package init(_ text: [UInt8]) {
        var tokens = JSON5Tokens(text)
        while self.broken == nil, let token = tokens.next() { self.take(token) }
        guard self.broken == nil else { return }
        if let container = self.open.last {
            self.refuse(container.line, "has a '\(container.isObject ? "{" : "[")' here that is never closed")
        } else if case .value = self.expected {
            self.refuse(tokens.line, "is empty; it is a group of settings in { }")
        }
    }

    private mutating func take(_ token: JSON5Tokens.Token) {
        if case .unfinished(let sentence) = token.kind { return self.refuse(token.line, "cannot be read: \(sentence)") }
        switch self.expected {
        case .value: self.takeValue(token)
        case .keyOrEnd: self.takeKeyOrEnd(token)
        case .colon:
            guard token.kind == .mark(UInt8(ascii: ":")) else { return self.fail(token, "':' after the key") }
            self.expected = .value
        case .commaOrEnd: self.takeCommaOrEnd(token)
        case .nothing: self.fail(token, "nothing more")
        }
    }

    private mutating func takeValue(_ token: JSON5Tokens.Token) {
        switch token.kind {
        case .mark(UInt8(ascii: "{")), .mark(UInt8(ascii: "[")):
            self.place(token.line)
            guard self.open.count < Self.maximumDepth
            else { return self.refuse(token.line, "is nested deeper than \(Self.maximumDepth) levels") }
            let isObject = token.kind == .mark(UInt8(ascii: "{"))
            let path = self.path
            self.open.append(
                Container(
                    path: path, isObject: isObject, line: token.line, current: isObject ? path : path.index(0)))
            self.expected = isObject ? .keyOrEnd : .value
        case .mark(UInt8(ascii: "]")) where self.open.last?.isObject == false: self.close()
        case .string:
            self.place(token.line)
            self.ended()
        case .word(let word):
            guard Self.mayBeBare(word)
            else { return self.refuse(token.line, "cannot be read: a value needs quotes around it") }
            self.place(token.line)
            self.ended()
        case .mark, .unfinished: self.fail(token, "a value")
        }
    }

    private mutating func takeKeyOrEnd(_ token: JSON5Tokens.Token) {
        switch token.kind {
        case .mark(UInt8(ascii: "}")): self.close()
        case .string(let key), .word(let key):
            let last = self.open.count - 1
            self.open[last].current = self.open[last].path.key(key)
            if !self.open[last].keys.insert(key).inserted {
                self.repeated.append((self.open[last].current, token.line))
            }
            self.expected = .colon
        case .mark, .unfinished: self.fail(token, "a key or '}'")
        }
    }

    private mutating func takeCommaOrEnd(_ token: JSON5Tokens.Token) {
        guard let container = self.open.last else { return self.fail(token, "nothing more") }
        switch token.kind {
        case .mark(UInt8(ascii: ",")):
            let last = self.open.count - 1
            self.open[last].count += 1
            self.open[last].current = container.isObject ? container.path : container.path.index(container.count + 1)
            self.expected = container.isObject ? .keyOrEnd : .value
        case .mark(UInt8(ascii: "}")) where container.isObject: self.close()
        case .mark(UInt8(ascii: "]")) where !container.isObject: self.close()
        default: self.fail(token, container.isObject ? "',' or '}'" : "',' or ']'")
        }
    }

    private var path: SettingPath { self.open.last?.current ?? .root }

    private mutating func place(_ line: Int) { if self.lines[self.path] == nil { self.lines[self.path] = line } }

    private mutating func close() {
        self.open.removeLast()
        self.ended()
    }

    private mutating func ended() { self.expected = self.open.isEmpty ? .nothing : .commaOrEnd }

    private mutating func fail(_ token: JSON5Tokens.Token, _ wanted: String) {
        let found =
            switch token.kind {
            case .mark(let byte): "'\(Unicode.Scalar(byte))'"
            case .string: "a text"
            case .word: "a word or a number"
            case .unfinished: "an unfinished text"
            }
        self.refuse(token.line, "cannot be read: expected \(wanted), found \(found)")
    }

    /// The fault shows the line and nothing that stands there, no key either: the rest of a secret, behind a quote or a
    /// comma in it, is a word or a key.
    private mutating func refuse(_ line: Int, _ sentence: String) {
        self.broken = ConfigurationFault(path: .root, line: line, sentence: sentence)
    }

    /// Whether a value may stand without quotes: a number or one of the three words.
    private static func mayBeBare(_ word: String) -> Bool {
        if ["true", "false", "null", "Infinity", "NaN"].contains(word) { return true }
        guard let first = word.utf8.first, "0123456789+-.".utf8.contains(first) else { return false }
        return !word.utf8.contains(UInt8(ascii: "/"))
    }
}
