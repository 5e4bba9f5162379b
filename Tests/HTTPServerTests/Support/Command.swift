import Glibc

/// Runs a program of the system and waits for it.
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
        defer { for unsafe pointer in unsafe argv { unsafe free(pointer) } }
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

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/latchkey-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Command.Failure(program: "mkdtemp", status: errno) }
        self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in ["stdout", "cert.pem", "key.pem", "request", "socket", "file"] {
            unsafe unlink(self.path + "/" + name)
        }
        unsafe rmdir(self.path)
    }

    func read(_ name: String) throws -> String {
        let file = unsafe open(self.path + "/" + name, O_RDONLY)
        guard file >= 0 else { throw Command.Failure(program: "open", status: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = self.path + "/" + name
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Command.Failure(program: "open", status: errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Command.Failure(program: "write", status: errno)
        }
        return path
    }
}
