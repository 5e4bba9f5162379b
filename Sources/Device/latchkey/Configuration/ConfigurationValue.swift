import FoundationEssentials

/// A value of the configuration file, read as what it is, so that every fault can be told at once.
indirect enum ConfigurationValue: Decodable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case null
    case list
    case members([String: ConfigurationValue])

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var members: [String: ConfigurationValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(ConfigurationValue.self, forKey: key)
            }
            self = .members(members)
            return
        }
        if (try? decoder.unkeyedContainer()) != nil {
            self = .list
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}

/// Takes values out of the configuration file and collects what is wrong with them.
struct ConfigurationReader {
    private var members: [String: ConfigurationValue]
    private let prefix: String
    private(set) var faults: [String] = []

    /// - Parameter place: the file, and the path to these members within it.
    init(_ members: [String: ConfigurationValue], prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    /// A text of 1 to `limit` bytes without control characters.
    mutating func text(_ name: String, limit: Int = 256) -> String? {
        switch self.members.removeValue(forKey: name) {
        case nil: return nil
        case .text(let text)
        where (1...limit).contains(text.utf8.count) && !text.unicodeScalars.contains(where: isControl):
            return text
        case .text: self.fault(name, "must have 1 to \(limit) bytes and no control characters")
        default: self.fault(name, "must be a text")
        }
        return nil
    }

    mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        switch self.members.removeValue(forKey: name) {
        case nil: return nil
        case .number(let number) where range.contains(number): return number
        default: self.fault(name, "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return nil
    }

    mutating func flag(_ name: String) -> Bool? {
        switch self.members.removeValue(forKey: name) {
        case nil: return nil
        case .flag(let flag): return flag
        case .text, .number, .null, .list, .members:
            self.fault(name, "must be true or false")
            return nil
        }
    }

    /// Members of their own, read by `body`.
    mutating func group<Result>(_ name: String, _ body: (inout ConfigurationReader) -> Result?) -> Result? {
        switch self.members.removeValue(forKey: name) {
        case nil: return nil
        case .members(let members):
            var reader = ConfigurationReader(members, prefix: "\(self.prefix)\(name).")
            let result = body(&reader)
            reader.finish()
            self.faults += reader.faults
            return result
        default:
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
        for name in self.members.keys.sorted() { self.fault(terminalName(name), "is not known here") }
        self.members = [:]
    }

    private func terminalName(_ name: String) -> String {
        String(name.unicodeScalars.filter { !isControl($0) }.prefix(64).map { Character($0) })
    }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
}

/// Everything that is wrong with the settings, each with its place.
struct ConfigurationFaults: Error, CustomStringConvertible {
    let faults: [String]

    var description: String {
        self.faults.count == 1
            ? "The configuration is not right. \(self.faults[0])"
            : "The configuration is not right:\n" + self.faults.map { "  \($0)" }.joined(separator: "\n")
    }
}
