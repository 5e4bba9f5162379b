import FoundationEssentials

/// The pictures of the pages as they are meant to be, in `Pictures/Kept`: a folder for each page, a file for each look.
struct KeptPictures: Sendable {
    /// What a run does with them; `LATCHKEY_PICTURES` says which, and `deploy/test pictures` sets it.
    enum Run: String, Sendable {
        /// Compares some, quickly: what the gate does.
        case few
        /// Compares all, and finds those of pages that are no more.
        case all
        /// Keeps those that are new or look different, and removes those of pages that are no more.
        case accept

        static let own = ProcessInfo.processInfo.environment["LATCHKEY_PICTURES"].flatMap(Run.init) ?? .few
    }

    private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Kept").path

    func picture(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(self.folder)/\(name).webp").map { Array($0) }
    }

    func keep(_ picture: [UInt8], as name: String) throws {
        let file = URL(filePath: "\(self.folder)/\(name).webp")
        try FileManager.default.createDirectory(
            atPath: file.deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(picture).write(to: file)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(self.folder)/\(name).webp") }

    func names() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: self.folder) else { return [] }
        let files = try FileManager.default.subpathsOfDirectory(atPath: self.folder)
        return Set(files.filter { $0.hasSuffix(".webp") }.map { String($0.dropLast(".webp".count)) })
    }
}
