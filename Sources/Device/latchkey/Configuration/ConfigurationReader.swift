import CommandLineTool
import JSON5

/// Takes values out of the configuration file and collects what is wrong with them.
struct ConfigurationReader {
    private var members: [String: JSON5Value]
    private let prefix: String
    /// Every name that was asked for, to tell a slip of the pen from a name that is none.
    private var known: [String] = []
    private(set) var faults: [String] = []

    /// - Parameter prefix: the path to these members within the file, with a full stop at its end.
    init(_ members: [String: JSON5Value], prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    private mutating func take(_ name: String) -> JSON5Value? {
        self.known.append(name)
        return self.members.removeValue(forKey: name)
    }

    /// A text of 1 to `limit` bytes without control characters.
    mutating func text(_ name: String, limit: Int = 256) -> String? {
        switch self.take(name) {
        case nil: return nil
        case .text(let text):
            if let text = Self.checked(text, limit: limit) { return text }
            self.fault(name, "must have 1 to \(limit) bytes and no control characters")
        case .null, .flag, .number, .list, .object: self.fault(name, "must be a text")
        }
        return nil
    }

    /// Up to 32 such texts; none where the member is missing.
    mutating func texts(_ name: String, limit: Int = 256) -> [String] {
        switch self.take(name) {
        case nil: return []
        case .list(let values):
            let texts = values.compactMap { value -> String? in
                if case .text(let text) = value { Self.checked(text, limit: limit) } else { nil }
            }
            if texts.count == values.count, texts.count <= 32 { return texts }
            self.fault(name, "must have at most 32 texts of 1 to \(limit) bytes and no control characters")
        case .null, .flag, .number, .text, .object: self.fault(name, "must be a list of texts in [ ]")
        }
        return []
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        switch self.take(name) {
        case nil: return nil
        case .number(let number) where range.contains(number): return number
        case .null, .flag, .number, .text, .list, .object:
            self.fault(name, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
            return nil
        }
    }

    mutating func flag(_ name: String) -> Bool? {
        switch self.take(name) {
        case nil: return nil
        case .flag(let flag): return flag
        case .text, .number, .null, .list, .object:
            self.fault(name, "must be true or false")
            return nil
        }
    }

    /// Members of their own, read by `body`.
    mutating func group<Result>(_ name: String, _ body: (inout ConfigurationReader) -> Result?) -> Result? {
        switch self.take(name) {
        case nil: return nil
        case .object(let members):
            var reader = ConfigurationReader(members, prefix: "\(self.prefix)\(name).")
            let result = body(&reader)
            reader.finish()
            self.faults += reader.faults
            return result
        case .text, .number, .null, .list, .flag:
            self.fault(name, "must be a group in braces")
            return nil
        }
    }

    /// The names that nothing was taken for yet, in order.
    var names: [String] { self.members.keys.sorted() }

    mutating func fault(_ name: String, _ what: String) {
        self.faults.append("\(self.prefix)\(name) \(what).")
    }

    /// Everything not asked for by now is unknown.
    mutating func finish() {
        for name in self.members.keys.sorted() {
            let hint = nearestName(to: name, among: self.known).map { "; perhaps \($0) is meant" } ?? ""
            self.fault(terminalSafe(name, limit: 64), "is not known here\(hint)")
        }
        self.members = [:]
    }

    private static func checked(_ text: String, limit: Int) -> String? {
        let isControlled = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return (1...limit).contains(text.utf8.count) && !isControlled ? text : nil
    }
}

/// Everything that is wrong with the settings, each with its place.
struct ConfigurationFaults: Error, CustomStringConvertible {
    let faults: [String]
    /// Whether there is no configuration at all.
    var isMissing = false

    var description: String {
        if self.isMissing { return self.faults.joined(separator: " ") }
        return self.faults.count == 1
            ? "The configuration is not right. \(self.faults[0])"
            : "The configuration is not right:\n" + self.faults.map { "  \($0)" }.joined(separator: "\n")
    }
}
