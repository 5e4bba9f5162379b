import FoundationEssentials

/// What the sample application was started for.
struct Order: Sendable {
    let server: URL
    let statement: String
    let requestor: String
    let resource: String
    /// The provider to choose; the first of the list when `nil`.
    private(set) var provider: String?
    /// What to measure, in place of everything else.
    private(set) var measurement: CheckMeasurement?

    init?(_ arguments: [String]) {
        let words = arguments.filter { !$0.hasPrefix("--") }
        guard words.count == 4, let server = URL(string: words[0]) else { return nil }
        (self.server, self.statement, self.requestor, self.resource) = (server, words[1], words[2], words[3])
        for option in arguments where option.hasPrefix("--") {
            let parts = option.split(separator: "=", maxSplits: 1).map { String($0) }
            switch (parts[0], parts.dropFirst().first) {
            case ("--provider", let id?): self.provider = id
            case ("--measure-check", let text?):
                let parts = text.split(separator: ",", maxSplits: 1)
                guard parts.count == 2, let batches = Int(parts[0]), (1...100_000).contains(batches) else { return nil }
                self.measurement = CheckMeasurement(batches: batches, start: String(parts[1]))
            default: return nil
            }
        }
    }
}
