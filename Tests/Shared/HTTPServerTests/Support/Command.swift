import Glibc
import TestSupport

enum Command {
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    /// - Returns: what it wrote to its standard output.
    @discardableResult
    static func run(_ program: String, _ arguments: [String], input: String = "/dev/null", in folder: TemporaryFolder)
        throws -> String
    {
        let output = folder.path + "/stdout"
        let all = [program] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe all.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let status = unsafe posix_spawnp(&process, program, &actions, nil, &argv, environ)
        guard status == 0 else { throw Failure(program: program, status: status) }
        var code: Int32 = 0
        while unsafe waitpid(process, &code, 0) < 0, errno == EINTR {}
        guard code == 0 else { throw Failure(program: program, status: code) }
        return try folder.read("stdout")
    }
}
