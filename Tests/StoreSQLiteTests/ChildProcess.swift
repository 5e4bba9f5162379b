import FoundationEssentials
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

    /// Between making a pipe and marking it as ours alone no other child may start: it would hold the pipe open.
    private static let starting = Mutex(())

    /// - Parameter arguments: without the name of the program.
    init(_ arguments: String...) throws {
        (self.id, self.output) = try Self.starting.withLock { _ in try Self.start(arguments) }
    }

    private static func start(_ arguments: [String]) throws -> (id: pid_t, output: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw ChildError.system(errno) }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)

        // The helper lies beside the program that runs the tests.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = tests.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/StoreCrashWriter"
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var id: pid_t = 0
        let result = unsafe posix_spawn(&id, program, &actions, nil, &words, environ)
        guard result == 0 else {
            close(ends[0])
            throw ChildError.system(result)
        }
        return (id, ends[0])
    }

    deinit {
        if !self.isOver {
            kill(self.id, SIGKILL)
            waitpid(self.id, nil, 0)
        }
        close(self.output)
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
