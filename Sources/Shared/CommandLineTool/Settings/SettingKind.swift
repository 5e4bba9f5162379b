/// The values that a setting takes: how they are read and written, and what to say about one that does not fit.
package struct SettingKind<Value> {
    /// The accepted values, as the rest of "must be …".
    package let expects: String
    package let read: (JSON5Value) -> Value?
    package let write: (Value) -> JSON5Value
    /// Whether a value that does not fit is kept out of the fault.
    package var isSecret = false

    package init(expects: String, read: @escaping (JSON5Value) -> Value?, write: @escaping (Value) -> JSON5Value) {
        self.expects = expects
        self.read = read
        self.write = write
    }
}

extension SettingKind {
    /// A text that `read` makes a value of.
    package static func parsed(
        _ expects: String, _ read: @escaping (String) -> Value?, _ write: @escaping (Value) -> String
    ) -> SettingKind {
        SettingKind(
            expects: expects,
            read: { if case .text(let text) = $0 { read(text) } else { nil } },
            write: { .text(write($0)) })
    }
}

extension SettingKind where Value == Bool {
    package static var flag: SettingKind {
        SettingKind(
            expects: "true or false",
            read: { if case .flag(let value) = $0 { value } else { nil } },
            write: { .flag($0) })
    }
}

extension SettingKind where Value == Int {
    package static func integer(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            expects: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { value in
                guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) else {
                    return nil
                }
                return whole
            },
            write: { .number(Double($0)) })
    }
}

extension SettingKind where Value == Double {
    package static func number(_ range: ClosedRange<Double>) -> SettingKind {
        SettingKind(
            expects: "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))",
            read: { if case .number(let number) = $0, range.contains(number) { number } else { nil } },
            write: { .number($0) })
    }
}

extension SettingKind where Value == String {
    /// Text that `accepts`; `expects` says what that is.
    package static func text(_ expects: String, _ accepts: @escaping (String) -> Bool) -> SettingKind {
        .parsed(expects, { accepts($0) ? $0 : nil }, \.self)
    }

    /// A text that no fault quotes.
    package static func secret(_ lengths: ClosedRange<Int>) -> SettingKind {
        var kind = Self.label(lengths)
        kind.isSecret = true
        return kind
    }

    package static func label(_ lengths: ClosedRange<Int>) -> SettingKind {
        .text("text of \(lengths.lowerBound) to \(lengths.upperBound) characters on one line") { text in
            lengths.contains(text.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// The name of a member of user metadata or of `generic_data` (rest-v1 19, 20.3); the former
    /// is an XML element, too.
    package static var metadataKey: SettingKind {
        .text("a name of 1 to 64 letters, digits and '_', a letter first") { text in
            text.utf8.count <= 64 && text.first?.isLetter == true && text.allSatisfy(\.isOfName)
        }
    }

    /// The place of a file or folder; relative ones are taken from the configuration's own folder.
    package static var file: SettingKind {
        .text("the path of a file or folder") { text in
            (1...4096).contains(text.utf8.count) && !text.utf8.contains(0)
        }
    }

    /// Of a file on another machine.
    package static var absolutePath: SettingKind {
        .text("the path of a file, from / on") { text in
            (2...4096).contains(text.utf8.count) && text.hasPrefix("/")
                && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }
}

extension SettingKind where Value == Duration {
    package static func duration(_ range: ClosedRange<Duration>) -> SettingKind {
        let lower = DurationText.write(range.lowerBound)
        let upper = DurationText.write(range.upperBound)
        return .parsed(
            "a time from \"\(lower)\" to \"\(upper)\", a whole number with one of the units ms, s, m, h, d",
            { DurationText.read($0).flatMap { range.contains($0) ? $0 : nil } }, DurationText.write)
    }
}

extension SettingKind where Value: RawRepresentable<String> & Equatable {
    package static func choice(_ values: [Value]) -> SettingKind {
        let names = values.map { "\"\($0.rawValue)\"" }
        return .parsed(
            names.count == 1 ? names.joined() : "one of " + names.joined(separator: ", "),
            { text in values.first { $0.rawValue == text } }, \.rawValue)
    }
}
