import FoundationEssentials

/// What Debian's gzip reads in each of `members`, which are files of gzip.
/// - Throws: ``GunzipError`` with its words where one is none.
package func gunzipped(_ members: [[UInt8]]) async throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    for (index, member) in members.enumerated() {
        try Data(member).write(to: URL(filePath: folder.file("\(index).gz")))
    }
    let run = try await ChildProcess("/bin/sh", ["-c", "cd \"$1\" && gzip -d *.gz", "sh", folder.path]).run()
    guard run.end == .exited(0) else { throw GunzipError(words: run.talk) }
    return try members.indices.map { Array(try Data(contentsOf: URL(filePath: folder.file("\($0)")))) }
}

package struct GunzipError: Error {
    package let words: String
}
