import FoundationEssentials

/// A folder in memory, with all that is below it and what each of it admits, to be written anew as often as tests want it.
struct KeptFolder: Sendable {
    private struct Item: Sendable {
        /// Below the folder; empty for the folder itself.
        let name: String
        let mode: Int
        /// `nil` for a folder.
        let bytes: Data?
    }

    /// A folder is before what is in it.
    private let items: [Item]

    init(of path: String) throws {
        let manager = FileManager.default
        let names = try manager.subpathsOfDirectory(atPath: path).sorted()
        self.items = try ([""] + names).map { name in
            let attributes = try manager.attributesOfItem(atPath: "\(path)/\(name)")
            guard let mode = attributes[.posixPermissions] as? Int else { throw CocoaError(.fileReadUnknown) }
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            return Item(
                name: name, mode: mode,
                bytes: isFolder ? nil : try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
        }
    }

    /// - Parameter path: where nothing is yet.
    func write(to path: String) throws {
        for item in self.items {
            let place = "\(path)/\(item.name)"
            if let bytes = item.bytes {
                try bytes.write(to: URL(filePath: place))
            } else {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            }
            try FileManager.default.setAttributes([.posixPermissions: item.mode], ofItemAtPath: place)
        }
    }
}
