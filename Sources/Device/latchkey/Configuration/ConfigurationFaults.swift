/// Everything that is wrong with the settings, each with its place.
struct ConfigurationFaults: Error, CustomStringConvertible {
    let faults: [String]

    var description: String {
        self.faults.count == 1
            ? "The configuration is not right. \(self.faults[0])"
            : "The configuration is not right:\n" + self.faults.map { "  \($0)" }.joined(separator: "\n")
    }
}
