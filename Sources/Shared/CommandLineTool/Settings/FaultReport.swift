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
