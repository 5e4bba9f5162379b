/// One object of the configuration while it is read. Each setting is named once, with its default, what it accepts and
/// what it is for; from that the reader, the faults and the commented file of `latchkeyd init` are made, so that they
/// cannot drift apart.
package final class SettingsSection {
    package let path: SettingPath
    package private(set) var described: [DescribedSetting] = []
    /// Values that count as if the setting were left out.
    private var defaults: [String: JSON5Value] = [:]
    private let fields: [String: JSON5Value]
    private let report: FaultReport

    package init(path: SettingPath, fields: [String: JSON5Value], report: FaultReport) {
        self.path = path
        self.fields = fields
        self.report = report
    }

    /// Whether the setting is given, right or not; `null` is as left out.
    package func has(_ key: String) -> Bool { Self.has(key, in: self.fields) }
    package var names: [String] { self.fields.keys.sorted() }

    /// The text of a field as it stands there, right or not.
    package func givenText(_ key: String) -> String? {
        if case .text(let text) = self.fields[key] { text } else { nil }
    }

    /// The same as ``has(_:)`` for a setting of a group in this one.
    package func has(_ key: String, in group: String) -> Bool {
        if case .object(let fields) = self.fields[group] { Self.has(key, in: fields) } else { false }
    }

    private static func has(_ key: String, in fields: [String: JSON5Value]) -> Bool {
        ![nil, .null].contains(fields[key])
    }

    package func read<Value>(
        _ key: String, _ kind: SettingKind<Value>, default: Value, _ explanation: String
    ) -> Value {
        let written = kind.write(`default`)
        self.defaults[key] = written
        return self.readOptional(key, kind, example: written, explanation) ?? `default`
    }

    /// A setting that may be left out; `example` is what the commented file shows.
    package func readOptional<Value>(
        _ key: String, _ kind: SettingKind<Value>, example: JSON5Value, _ explanation: String
    ) -> Value? {
        self.describe(key, explanation, set: self.fields[key], otherwise: example)
        guard let given = self.fields[key], given != .null else { return nil }
        return self.value(given, kind, at: self.path.key(key))
    }

    /// A setting that must be there.
    /// - Returns: `nil` when it is not, or not right; that is then reported.
    package func readRequired<Value>(
        _ key: String, _ kind: SettingKind<Value>, example: JSON5Value, _ explanation: String
    ) -> Value? {
        if !self.has(key) { self.fault(key, "is missing; it must be \(kind.expects)") }
        return self.readOptional(key, kind, example: example, explanation)
    }

    /// A list of values. Those that are not right are reported and left out.
    package func readList<Value: Hashable>(
        _ key: String, of kind: SettingKind<Value>, default: [Value], atMost limit: Int = 1000, _ explanation: String
    ) -> [Value] {
        self.defaults[key] = .list(`default`.map(kind.write))
        self.describe(key, explanation, set: self.fields[key], otherwise: .list(`default`.map(kind.write)))
        guard let elements = self.fields[key].flatMap({ self.elements($0, at: self.path.key(key), atMost: limit) })
        else { return `default` }
        var seen: Set<Value> = []
        return elements.compactMap { path, element in
            guard let value = self.value(element, kind, at: path) else { return nil }
            guard seen.insert(value).inserted else {
                self.report.add(path, "repeats \(element.excerpt)")
                return nil
            }
            return value
        }
    }

    /// A list that may be left out, which is not the same as an empty one; `example` is what the commented file shows.
    package func readOptionalList<Value: Hashable>(
        _ key: String, of kind: SettingKind<Value>, example: [Value], atMost limit: Int = 1000, _ explanation: String
    ) -> [Value]? {
        guard let given = self.fields[key], given != .null else {
            self.describe(key, explanation, set: self.fields[key], otherwise: .list(example.map(kind.write)))
            return nil
        }
        return self.readList(key, of: kind, default: [], atMost: limit, explanation)
    }

    /// A group of settings; empty when it is not there. `body` asks for what is in it.
    package func section<Result>(_ key: String, _ explanation: String, _ body: (SettingsSection) -> Result) -> Result {
        let path = self.path.key(key)
        var fields: [String: JSON5Value] = [:]
        switch self.fields[key] {
        case .object(let given): fields = given
        case nil: break
        case .some(let other): self.report.add(path, "must be a group of settings in { }, not \(other.excerpt)")
        }
        let section = SettingsSection(path: path, fields: fields, report: self.report)
        let result = body(section)
        section.finish()
        self.described.append(
            DescribedSetting(key: key, explanation: explanation, content: .group(section.described)))
        return result
    }

    /// A list of groups; `body` asks for what is in each, and makes `nil` of one that is left out.
    package func sections<Result>(
        _ key: String, atMost limit: Int, _ explanation: String, _ body: (SettingsSection) -> Result?
    ) -> [Result] {
        let path = self.path.key(key)
        self.defaults[key] = .list([])
        var groups: [[DescribedSetting]] = []
        let elements = self.fields[key].flatMap { self.elements($0, at: path, atMost: limit) } ?? []
        let results: [Result] = elements.compactMap { path, element in
            guard case .object(let fields) = element else {
                self.report.add(path, "must be a group of settings in { }, not \(element.excerpt)")
                return nil
            }
            let section = SettingsSection(path: path, fields: fields, report: self.report)
            let result = body(section)
            section.finish()
            groups.append(section.described)
            return result
        }
        // Asked for once more, so that a file without entries can still describe one.
        let nowhere = SettingsSection(path: .root, fields: [:], report: FaultReport())
        _ = body(nowhere)
        self.described.append(
            DescribedSetting(key: key, explanation: explanation, content: .list(groups, entry: nowhere.described)))
        return results
    }

    /// Reports something about a setting that its own kind cannot know, such as a name nothing else has.
    package func fault(_ key: String, _ sentence: String) { self.report.add(self.path.key(key), sentence) }

    /// The file and the line of a setting, such as `latchkeyd.d/providers/IslandTV.json5, line 3`; `nil` if it has no line.
    package func place(of key: String) -> String? {
        let place = self.report.fault(self.path.key(key), "")
        return place.line.map { "\(place.file.map { "\($0), " } ?? "")line \($0)" }
    }

    /// Reports each setting that is given, unless it says its default, as a commented file may.
    package func refuseAll(_ sentence: String) {
        for key in self.described.map(\.key) where self.has(key) && self.fields[key] != self.defaults[key] {
            self.fault(key, sentence)
        }
    }

    /// Reports the keys that are no setting.
    package func finish() {
        let known = self.described.map(\.key)
        for key in self.fields.keys.sorted() where !known.contains(key) {
            let hint =
                nearestName(to: key, among: known).map { "perhaps \($0) is meant" }
                ?? "the settings here are \(known.joined(separator: ", "))"
            self.report.add(self.path.key(key), "is not a setting; \(hint)")
        }
    }

    private func value<Value>(_ given: JSON5Value, _ kind: SettingKind<Value>, at path: SettingPath) -> Value? {
        guard let value = kind.read(given) else {
            self.report.add(path, "must be \(kind.expects)\(kind.isSecret ? "" : ", not \(given.excerpt)")")
            return nil
        }
        return value
    }

    private func elements(
        _ given: JSON5Value, at path: SettingPath, atMost limit: Int
    ) -> [(path: SettingPath, element: JSON5Value)]? {
        guard case .list(let elements) = given else {
            self.report.add(path, "must be a list in [ ], not \(given.excerpt)")
            return nil
        }
        guard elements.count <= limit else {
            self.report.add(path, "has \(elements.count) entries; at most \(limit) are accepted")
            return nil
        }
        return elements.enumerated().map { (path.index($0.offset), $0.element) }
    }

    private func describe(_ key: String, _ explanation: String, set: JSON5Value?, otherwise: JSON5Value) {
        precondition(!self.described.contains { $0.key == key }, "the setting \(key) is described twice")
        let content: DescribedSetting.Content = if let set { .set(set) } else { .unset(otherwise) }
        self.described.append(DescribedSetting(key: key, explanation: explanation, content: content))
    }
}
