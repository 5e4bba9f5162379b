import FoundationEssentials
import Glibc

/// A folder of a test's own, removed with everything in it at the end.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array((shortFolder + "/latchkey-test-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        self.path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    package func file(_ name: String) -> String { "\(self.path)/\(name)" }

    /// Writes a file, and makes the folders that it is in.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let file = URL(filePath: self.file(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return self.file(name)
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: self.file(name))), as: UTF8.self)
    }
}

/// Short, since a Unix socket's path has 107 bytes.
private let shortFolder = "/tmp"
