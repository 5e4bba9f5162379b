import Glibc
import Synchronization

/// A run of the helper program `StoreCrashWriter`, with its output in a pipe; killed and reaped when it goes out of
/// scope.
@safe
struct ChildProcess: ~Copyable {
    private let id: pid_t
    private let output: Int32
    private var buffer: [UInt8] = []
    private var isOver = false

    /// - Parameter arguments: without the name of the program.
    init(_ arguments: String...) throws {
        var pipe: [Int32] = [0, 0]
        guard unsafe pipe2(&pipe, O_CLOEXEC) == 0 else { throw ChildError.system(errno) }
        defer { close(pipe[1]) }

        var actions = posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)

        let program = try Self.folderOfTests() + "/StoreCrashWriter"
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { for word in unsafe words { unsafe free(word) } }
        var id: pid_t = 0
        let result = unsafe posix_spawn(&id, program, &actions, nil, &words, environ)
        guard result == 0 else {
            close(pipe[0])
            throw ChildError.system(result)
        }
        self.id = id
        self.output = pipe[0]
    }

    deinit {
        if !self.isOver {
            kill(self.id, SIGKILL)
            _ = unsafe waitpid(self.id, nil, 0)
        }
        close(self.output)
    }

    /// The helper lies beside the program that runs the tests.
    private static func folderOfTests() throws -> String {
        let path = try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = unsafe readlink("/proc/self/exe", buffer.baseAddress, buffer.count)
            guard count > 0 else { throw ChildError.system(errno) }
            return unsafe String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" }
    }

    /// The next line, or none when the program closed its output. Blocks.
    mutating func line() -> String? {
        while true {
            if let end = self.buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { self.buffer.removeFirst(end + 1) }
                return String(decoding: self.buffer[..<end], as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe read(self.output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            self.buffer += chunk[..<count]
        }
    }

    /// All lines to the end of the output. Blocks until the program closed it.
    mutating func rest() -> [String] {
        var lines: [String] = []
        while let line = self.line() { lines.append(line) }
        return lines
    }

    /// Ends the program where it stands. What it wrote before is still to be read.
    func kill9() {
        kill(self.id, SIGKILL)
    }

    /// Waits for the end.
    /// - Returns: the exit code, or minus the signal.
    mutating func wait() -> Int32 {
        var status: Int32 = 0
        _ = unsafe waitpid(self.id, &status, 0)
        self.isOver = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}

enum ChildError: Error {
    case system(Int32)
}
