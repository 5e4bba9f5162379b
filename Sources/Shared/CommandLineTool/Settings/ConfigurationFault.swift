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

/// Collects what is wrong while a configuration is read. Lives only for one reading.
package final class FaultReport {
    package private(set) var faults: [ConfigurationFault]
    private let files: [ConfigurationTree.File]

    package init(_ tree: ConfigurationTree? = nil) {
        self.faults = tree?.repeated ?? []
        self.files = tree?.files ?? []
    }

    /// - Parameter sentence: what is wrong, going on after the path, without a full stop.
    package func add(_ path: SettingPath, _ sentence: String) { self.faults.append(self.fault(path, sentence)) }

    func fault(_ path: SettingPath, _ sentence: String) -> ConfigurationFault {
        for file in self.files.reversed() {
            guard let place = path.relative(to: file.path) else { continue }
            return ConfigurationFault(file: file.name, path: place, line: file.lines[place], sentence: sentence)
        }
        return ConfigurationFault(path: path, line: nil, sentence: sentence)
    }
}
