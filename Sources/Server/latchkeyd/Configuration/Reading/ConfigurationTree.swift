import JSON5
import FoundationEssentials

/// A configuration as text was read: its values, and where they stand.
struct ConfigurationTree {
    let fields: [String: JSON5Value]
    let lines: [SettingPath: Int]
    let repeated: [(path: SettingPath, line: Int)]

    /// - Throws: when the text is too long, not UTF-8, no JSON5, or something other than one group of settings.
    init(text: Data) throws(ConfigurationFaults) {
        guard text.count <= Configuration.maximumSize else {
            throw Self.fault("has \(text.count) bytes; at most \(Configuration.maximumSize) are read")
        }
        guard String(validating: text, as: UTF8.self) != nil else { throw Self.fault("is not UTF-8 text") }
        let places = JSON5Places(Array(text))
        if let broken = places.broken {
            throw ConfigurationFaults([
                ConfigurationFault(path: broken.path, line: broken.line, sentence: broken.sentence)
            ])
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let value: JSON5Value
        do {
            value = try decoder.decode(JSON5Value.self, from: text)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            let path = Self.path(context.codingPath)
            let fault = ConfigurationFault(path: path, line: places.lines[path], sentence: "is not valid JSON5")
            throw ConfigurationFaults([fault])
        } catch {
            throw Self.fault("is not valid JSON5")
        }
        guard case .object(let fields) = value else { throw Self.fault("must be a group of settings in { }") }
        self.fields = fields
        self.lines = places.lines
        self.repeated = places.repeated
    }

    private static func fault(_ sentence: String) -> ConfigurationFaults {
        ConfigurationFaults([ConfigurationFault(path: .root, line: nil, sentence: sentence)])
    }

    private static func path(_ codingPath: [any CodingKey]) -> SettingPath {
        codingPath.reduce(.root) { path, key in
            if let index = key.intValue { path.index(index) } else { path.key(key.stringValue) }
        }
    }
}
