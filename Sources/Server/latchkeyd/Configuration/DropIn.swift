import CommandLineTool
package import FoundationEssentials
import POSIX

/// A file beside the configuration that has one provider or one requestor, such as
/// `latchkeyd.d/requestors/NORTHSPORT.json5`. Its settings are those of an entry of that list of the configuration, whose last
/// entries the files are, in the order of their names. Commands write and remove these files and nothing else; paths in them
/// begin in the folder of the configuration.
package struct DropIn: Hashable, Sendable {
    package enum List: String, CaseIterable, Sendable {
        case providers
        case requestors

        var noun: String { self == .providers ? "provider" : "requestor" }
    }

    static let folder = "latchkeyd.d"
    private static let ending = ".json5"
    private static let order = ["id", "name", "kind"]

    package let list: List
    /// From the folder of the configuration.
    package let name: String
    package let text: Data

    package init(_ list: List, name: String, text: Data) {
        self.list = list
        self.name = name
        self.text = text
    }

    /// - Parameter name: that of the file it takes the place of; `nil` is named after the ID.
    init(_ list: List, id: String, _ fields: [String: JSON5Value], name: String? = nil) {
        func rank(_ key: String) -> Int { Self.order.firstIndex(of: key) ?? Self.order.count }
        let lines = fields.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }.map { key, value in
            "    \(JSON5Value.key(key)): \(value.source),\n"
        }
        let text =
            "// A command of latchkeyd that changes this \(list.noun) writes the file anew.\n{\n\(lines.joined())}\n"
        self.init(list, name: name ?? Self.name(list, id: id), text: Data(text.utf8))
    }

    static func name(_ list: List, id: String) -> String { "\(Self.folder)/\(list.rawValue)/\(id)\(Self.ending)" }

    /// The files beside a configuration, in the order in which they count.
    static func all(in folder: String) throws(OperatorError) -> [DropIn] {
        for name in try Self.names(in: "\(folder)/\(Self.folder)") where name.hasSuffix(Self.ending) {
            throw OperatorError(
                "The file \(folder)/\(Self.folder)/\(name) is in neither of the folders providers and requestors.",
                advice: "A file there has one entry of that list of the configuration.", exitCode: .configuration)
        }
        var files: [DropIn] = []
        for list in List.allCases {
            let place = "\(Self.folder)/\(list.rawValue)"
            for file in try Self.names(in: "\(folder)/\(place)").sorted()
            where file.hasSuffix(Self.ending) && !file.hasPrefix(".") {
                let text = try PrivateFiles.read("\(folder)/\(place)/\(file)", limit: Configuration.maximumSize)
                files.append(DropIn(list, name: "\(place)/\(file)", text: text))
            }
        }
        return files
    }

    /// The paths of everything beside a configuration that ``all(in:)`` passes over, but for what editors and packages leave.
    static func unread(in folder: String) -> [String] {
        let lists = List.allCases.map(\.rawValue)
        let places = [""] + lists.map { "/\($0)" }
        return places.flatMap { place -> [String] in
            let path = "\(folder)/\(Self.folder)\(place)"
            return ((try? Self.names(in: path)) ?? []).sorted().filter { name in
                !(place.isEmpty ? lists.contains(name) : name.hasSuffix(Self.ending)) && !name.hasPrefix(".")
                    && !name.hasSuffix("~") && !name.hasSuffix(".bak") && !name.contains(".dpkg-")
            }.map { "\(path)/\($0)" }
        }
    }

    private static func names(in folder: String) throws(OperatorError) -> [String] {
        do throws(SystemError) {
            return try Folder.names(in: folder)
        } catch {
            guard error != .notFound else { return [] }
            throw OperatorError("The folder \(folder) cannot be read: \(error).", exitCode: .configuration)
        }
    }

    /// The place of a fault that a reading found, for an operator.
    static func place(of fault: String, in file: ConfigurationFile) -> String {
        fault.hasPrefix("\(Self.folder)/") ? "\(file.folder)/\(fault)" : "\(file.path): \(fault)"
    }
}
