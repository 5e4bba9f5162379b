/// One thing that is wrong with a configuration, and where.
package struct ConfigurationFault: Error, Hashable, Sendable {
    /// The drop-in file, from the configuration's folder; `nil` for the configuration itself.
    package var file: String?
    package let path: SettingPath
    /// Counted from 1; `nil` if it cannot be told, as for a setting that is missing.
    package let line: Int?
    /// The fault and the right form, as the rest of a sentence that begins with the path.
    package let sentence: String
}

extension ConfigurationFault: CustomStringConvertible {
    package var description: String {
        "\(self.file.map { "\($0): " } ?? "")\(self.line.map { "line \($0): " } ?? "")\(self.path) \(self.sentence)."
    }
}

/// Everything that is wrong with one configuration; never empty.
package struct ConfigurationFaults: Error, Hashable, Sendable {
    package let faults: [ConfigurationFault]

    package init(_ faults: [ConfigurationFault]) {
        precondition(!faults.isEmpty, "a faultless configuration is not an error")
        self.faults = faults
    }
}
