/// The project's own folder, for tests that read its sources and documents.
package enum ProjectFolder {
    private static let path = String(#filePath.dropLast("/Tests/Support/TestSupport/ProjectFolder.swift".count))

    /// The path of a file or folder, whose own path begins at the project's top level.
    package static func file(_ path: String) -> String { "\(self.path)/\(path)" }
}
