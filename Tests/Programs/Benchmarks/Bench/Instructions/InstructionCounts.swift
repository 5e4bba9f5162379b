import FoundationEssentials
import TestSupport

/// What one call takes, in thousands.
struct InstructionCounts: Sendable {
    /// Without ``cleared``.
    var instructions: Double
    /// Kilobytes that `memset` clears: callgrind counts one instruction for each byte.
    var cleared: Double
    /// The functions that take most, without those that they call.
    var functions: [String: Double]

    private static let kept = 15
    private static let tolerance = 1.03

    /// - Parameters:
    ///   - calls: how many were counted.
    ///   - excluded: functions whose instructions do not count, nor those of what they call.
    init(_ profile: Callgrind.Profile, calls: Int, without excluded: [String]) async throws {
        let scale = 1 / Double(calls * 1000)
        let isClearing = { (name: String) in name.contains("memset") }
        let cleared = profile.own.reduce(0) { isClearing($1.key) ? $0 + $1.value : $0 }
        let left = excluded.reduce(0) { $0 + (profile.whole[$1] ?? 0) }
        self.instructions = Double(profile.sum - cleared - left) * scale
        self.cleared = Double(cleared) * scale
        let most = profile.own.filter { !isClearing($0.key) }.sorted { $0.value > $1.value }.prefix(Self.kept)
        let readable = try await Self.readable(most.map(\.key))
        self.functions = Dictionary(
            zip(readable, most.map { Double($0.value) * scale }), uniquingKeysWith: { $0 + $1 })
    }

    private init() { (self.instructions, self.cleared, self.functions) = (0, 0, [:]) }

    private static func readable(_ names: [String]) async throws -> [String] {
        let swift = names.filter { $0.hasPrefix("$s") }
        guard !swift.isEmpty else { return names }
        let (end, output, talk) = try await ChildProcess("swift-demangle", ["--compact", "--simplified"] + swift).run()
        var lines = output.split(separator: "\n")[...]
        guard end == .exited(0), lines.count == swift.count
        else { throw NotMeasured(description: "swift-demangle: \(talk)") }
        return names.map { $0.hasPrefix("$s") ? String(lines.removeFirst()) : $0 }
    }

    /// What is wrong with these counts: the functions that grew where the sum is above the budget.
    func complaint(against budget: Self) -> String? {
        guard self.instructions > budget.instructions * Self.tolerance || self.cleared > budget.cleared * Self.tolerance
        else { return nil }
        let grown = self.functions.map { (name: $0.key, before: budget.functions[$0.key], now: $0.value) }
            .filter { $0.now > ($0.before ?? 0) * Self.tolerance }
            .sorted { $0.now - ($0.before ?? 0) > $1.now - ($1.before ?? 0) }
        return
            "\(self.instructions.rounded(places: 1)) thousand instructions and \(self.cleared.rounded(places: 1)) KB"
            + " cleared, where \(budget.instructions) and \(budget.cleared) are kept. Grown:"
            + grown.prefix(5).map {
                "\n    \($0.now.rounded(places: 1)), before \($0.before.map { "\($0)" } ?? "little"): \($0.name)"
            }.joined()
    }

    /// The kept file: tab-separated lines of a call, a count and what it counts.
    static func read(_ file: String) throws -> [String: Self] {
        var all: [String: Self] = [:]
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            guard words.count == 3, let count = Double(words[1]) else { continue }
            switch words[2] {
            case "instructions": all[words[0], default: Self()].instructions = count
            case "cleared": all[words[0], default: Self()].cleared = count
            default: all[words[0], default: Self()].functions[words[2]] = count
            }
        }
        return all
    }

    func lines(of call: String) -> String {
        let functions = self.functions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let counts = [("instructions", self.instructions), ("cleared", self.cleared)]
        return (counts + functions.map { ($0.key, $0.value) })
            .map { "\(call)\t\($0.1.rounded(places: 1))\t\($0.0)\n" }.joined()
    }
}
