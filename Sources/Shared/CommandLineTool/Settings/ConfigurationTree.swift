package import FoundationEssentials

/// A configuration as its files were read: its values, and where they stand.
package struct ConfigurationTree: Sendable {
    /// The settings of a further entry of a list, in a file of their own.
    package typealias Entry = (list: String, name: String, text: Data)

    struct File: Sendable {
        /// From the configuration's folder; `nil` for the configuration itself.
        let name: String?
        /// The path of its values among all.
        let path: SettingPath
        let lines: [SettingPath: Int]
    }

    package private(set) var fields: [String: JSON5Value] = [:]
    private(set) var files: [File] = []
    private(set) var repeated: [ConfigurationFault] = []

    /// - Parameters:
    ///   - entries: the last ones of their lists.
    ///   - limit: of each text, in bytes.
    /// - Throws: when a text is too long, not UTF-8, no JSON5, or something other than one group of settings.
    package init(text: Data, _ entries: [Entry] = [], limit: Int) throws(ConfigurationFaults) {
        self.fields = try self.add(text, limit, name: nil, at: .root)
        var faults: [ConfigurationFault] = []
        for entry in entries {
            let earlier: [JSON5Value]
            switch self.fields[entry.list] {
            case .list(let given): earlier = given
            case nil: earlier = []
            // Is no list, and reported as that.
            case .some: continue
            }
            let path = SettingPath.root.key(entry.list).index(earlier.count)
            do throws(ConfigurationFaults) {
                let fields = try self.add(entry.text, limit, name: entry.name, at: path)
                self.fields[entry.list] = .list(earlier + [.object(fields)])
            } catch {
                faults += error.faults
            }
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
    }

    /// The place of a setting of one entry of a list, for a fault that a later look finds, such as
    /// `latchkeyd.d/providers/IslandTV.json5: line 4: oidc.clientSecret`.
    /// - Parameter setting: the last key of its path; `nil` is the entry itself.
    package func place(in list: String, id: String, of setting: String?) -> String? {
        guard case .list(let entries)? = self.fields[list],
            let index = entries.firstIndex(where: { entry in
                guard case .object(let fields) = entry else { return false }
                return fields["id"] == .text(id)
            })
        else { return nil }
        let path = SettingPath.root.key(list).index(index)
        for file in self.files.reversed() {
            guard let entry = path.relative(to: file.path) else { continue }
            let found = file.lines.filter { place, _ in
                place.relative(to: entry) != nil && (place.text == setting || place.text.hasSuffix(".\(setting ?? "")"))
            }.min { $0.key.text < $1.key.text }
            let line = (found?.value ?? file.lines[entry]).map { ["line \($0)"] } ?? []
            let name = found?.key.text ?? [entry.text, setting ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            return ([file.name].compactMap(\.self) + line + [name]).filter { !$0.isEmpty }.joined(separator: ": ")
        }
        return nil
    }

    private mutating func add(
        _ text: Data, _ limit: Int, name: String?, at path: SettingPath
    ) throws(ConfigurationFaults) -> [String: JSON5Value] {
        do throws(ConfigurationFaults) {
            let (fields, places) = try Self.fields(of: text, limit: limit)
            self.files.append(File(name: name, path: path, lines: places.lines))
            self.repeated += places.repeated.map { path, line in
                ConfigurationFault(file: name, path: path, line: line, sentence: "is given twice")
            }
            return fields
        } catch {
            throw ConfigurationFaults(
                error.faults.map {
                    ConfigurationFault(file: name, path: $0.path, line: $0.line, sentence: $0.sentence)
                })
        }
    }

    package static func fields(
        of text: Data, limit: Int
    ) throws(ConfigurationFaults) -> (fields: [String: JSON5Value], places: JSON5Places) {
        guard text.count <= limit else { throw Self.fault("has \(text.count) bytes; at most \(limit) are read") }
        guard String(validating: text, as: UTF8.self) != nil else { throw Self.fault("is not UTF-8 text") }
        let places = JSON5Places(Array(text))
        if let broken = places.broken { throw ConfigurationFaults([broken]) }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let value: JSON5Value
        do {
            let mark = text.starts(with: JSON5Places.byteOrderMark) ? 3 : 0
            value = try decoder.decode(JSON5Value.self, from: text.dropFirst(mark))
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            let line = places.lines[Self.path(context.codingPath)]
            throw ConfigurationFaults([ConfigurationFault(path: .root, line: line, sentence: "is not valid JSON5")])
        } catch {
            throw Self.fault("is not valid JSON5")
        }
        guard case .object(let fields) = value else { throw Self.fault("must be a group of settings in { }") }
        return (fields, places)
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
