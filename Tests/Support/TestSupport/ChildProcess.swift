import Dispatch
import Glibc
import Synchronization

/// A program started by a test, with its three streams as pipes; killed when released.
package final class ChildProcess: Sendable {
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    package struct StartError: Error {
        package let code: Int32
    }

    package let pid: Int32
    private let output: Int32
    private let talk: Int32
    private let end = Mutex<End?>(nil)
    /// One at a time: a child that inherits another's pipe keeps its reader waiting until it ends itself.
    private static let turn = DispatchSemaphore(value: 1)

    /// Starts `path`. `environment` is all there is; nothing is inherited but `PATH` and what sanitizers are told.
    package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        Self.turn.wait()
        defer { Self.turn.signal() }
        var outputEnds: [Int32] = [-1, -1]
        var talkEnds: [Int32] = [-1, -1]
        guard unsafe pipe(&outputEnds) == 0, unsafe pipe(&talkEnds) == 0 else { throw StartError(code: errno) }
        for end in outputEnds + talkEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, talkEnds[1], 2)
        // A child inherits the mask of the thread that starts it, and worker threads block nearly every signal: without
        // an empty mask it would never hear that it is asked to stop.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var environment = environment
        if environment["PATH"] == nil { environment["PATH"] = "/usr/bin:/bin" }
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] where environment[name] == nil {
            environment[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        var pid: pid_t = 0
        let code = unsafe withCStrings([path] + arguments) { argv in
            unsafe withCStrings(environment.map { "\($0)=\($1)" }) { envp in
                unsafe posix_spawnp(&pid, path, &actions, &attributes, argv, envp)
            }
        }
        for end in [outputEnds[1], talkEnds[1]] { close(end) }
        guard code == 0 else {
            for end in [outputEnds[0], talkEnds[0]] { close(end) }
            throw StartError(code: code)
        }
        self.pid = pid
        self.output = outputEnds[0]
        self.talk = talkEnds[0]
    }

    deinit {
        if self.end.withLock({ $0 }) == nil {
            kill(self.pid, SIGKILL)
            _ = self.reap()
        }
        for end in [self.output, self.talk] { close(end) }
    }

    package func send(_ signal: Int32) {
        guard self.end.withLock({ $0 }) == nil else { return }
        kill(self.pid, signal)
    }

    /// The lines of stderr as they come, until it closes.
    package var talkLines: AsyncStream<String> { lines(of: self.talk) }
    /// The lines of stdout as they come, until it closes.
    package var outputLines: AsyncStream<String> { lines(of: self.output) }

    /// Waits for the end, off the cooperative pool.
    package func waitForEnd() async -> End {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "child process").async { continuation.resume(returning: self.reap()) }
        }
    }

    /// Everything it says until it ends.
    package func run() async -> (end: End, output: String, talk: String) {
        async let output = self.outputLines.reduce(into: "") { $0 += $1 + "\n" }
        async let talk = self.talkLines.reduce(into: "") { $0 += $1 + "\n" }
        let texts = await (output, talk)
        return (await self.waitForEnd(), texts.0, texts.1)
    }

    private func reap() -> End {
        // Waits without collecting, so that nobody who sends a signal meanwhile waits for the lock or hits another process.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(self.pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return self.end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            while unsafe waitpid(self.pid, &status, 0) < 0, errno == EINTR {}
            let result: End = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
            end = result
            return result
        }
    }
}

private func lines(of descriptor: Int32) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    DispatchQueue(label: "child output").async {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(copy, &buffer, buffer.count)
            guard count > 0 else { break }
            for byte in buffer.prefix(count) {
                if byte == UInt8(ascii: "\n") {
                    continuation.yield(String(decoding: line, as: UTF8.self))
                    line = []
                } else {
                    line.append(byte)
                }
            }
        }
        if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
        close(copy)
        continuation.finish()
    }
    return stream
}

/// Lends an array of C strings that ends in nil.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer {
        for index in 0..<texts.count { unsafe free(pointers[index]) }
    }
    return unsafe body(&pointers)
}
