package import JSON5

/// One thing that is wrong with a configuration, and where.
package struct ConfigurationFault: Error, Hashable, Sendable {
    package let path: SettingPath
    /// Counted from 1; `nil` where it cannot be told, as for a setting that is missing.
    package let line: Int?
    /// What is wrong and what would be right, as the rest of a sentence that begins with the path.
    package let sentence: String

    package init(path: SettingPath, line: Int?, sentence: String) {
        self.path = path
        self.line = line
        self.sentence = sentence
    }
}

extension ConfigurationFault: CustomStringConvertible {
    package var description: String {
        "\(self.line.map { "line \($0): " } ?? "")\(self.path) \(self.sentence)."
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
    package private(set) var faults: [ConfigurationFault] = []
    private let lines: [SettingPath: Int]

    init(lines: [SettingPath: Int] = [:]) {
        self.lines = lines
    }

    /// - Parameter sentence: what is wrong, going on after the path, without a full stop.
    func add(_ path: SettingPath, line: Int? = nil, _ sentence: String) {
        self.faults.append(ConfigurationFault(path: path, line: line ?? self.lines[path], sentence: sentence))
    }
}
