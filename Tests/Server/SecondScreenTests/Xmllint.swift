import Glibc
import TestSupport

/// `xmllint` of libxml2, a parser that is not ours.
enum Xmllint {
    static let program = "/usr/bin/xmllint"

    /// Whether `document` is well-formed XML. The templates are written so that a page is both HTML and that.
    static func accepts(_ document: String) async throws -> Bool {
        let folder = try TemporaryFolder()
        return try self.run(["--noout", "--nonet", folder.write(document, to: "page.xml")]) == 0
    }

    /// Waits for the end of the program: some milliseconds.
    private static func run(_ arguments: [String]) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] =
            unsafe ([self.program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var id: pid_t = 0
        let result = unsafe posix_spawn(&id, self.program, &actions, nil, &words, environ)
        guard result == 0 else { throw CannotStart(code: result) }
        var status: Int32 = 0
        _ = unsafe waitpid(id, &status, 0)
        return status
    }

    struct CannotStart: Error {
        let code: Int32
    }
}
