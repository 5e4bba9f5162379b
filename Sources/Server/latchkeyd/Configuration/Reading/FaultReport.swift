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
