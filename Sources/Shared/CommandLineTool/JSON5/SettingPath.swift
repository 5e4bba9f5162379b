/// The path of a value in a configuration, such as `requestors[0].name`.
package struct SettingPath: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let root = SettingPath(text: "")

    package func key(_ name: String) -> SettingPath {
        let written = JSON5Value.key(name)
        if written != name { return SettingPath(text: "\(self.text)[\(written)]") }
        return SettingPath(text: self.text.isEmpty ? name : "\(self.text).\(name)")
    }

    package func index(_ position: Int) -> SettingPath { SettingPath(text: "\(self.text)[\(position)]") }

    /// The same place seen from `other`; `nil` when it is not in there.
    package func relative(to other: SettingPath) -> SettingPath? {
        guard !other.text.isEmpty else { return self }
        guard self.text.hasPrefix(other.text) else { return nil }
        let rest = self.text.dropFirst(other.text.count)
        guard let first = rest.first else { return .root }
        guard first == "." || first == "[" else { return nil }
        return SettingPath(text: String(first == "." ? rest.dropFirst() : rest))
    }

    package var description: String { self.text.isEmpty ? "the configuration" : self.text }
}
