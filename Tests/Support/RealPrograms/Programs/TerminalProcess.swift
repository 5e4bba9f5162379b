import Dispatch
import Glibc
import Synchronization

/// A program on a terminal of its own, as a person would start it; killed when released.
package final class TerminalProcess: Sendable {
    /// What arrived on the screen, and when.
    package struct Output: Sendable {
        package let moment: ContinuousClock.Instant
        package let bytes: [UInt8]
    }

    package struct StartError: Error {
        package let code: Int32
    }

    package let pid: Int32
    /// Just before the program was started.
    package let started: ContinuousClock.Instant
    private let terminal: Int32
    private let screen = Mutex<[Output]>([])
    private let hasEnded = Mutex(false)

    /// Starts `path` as the leader of a session on a new terminal. `environment` is all there is.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String], columns: UInt16 = 80, rows: UInt16 = 40
    ) throws {
        var terminal: Int32 = -1
        var programsEnd: Int32 = -1
        var name = [CChar](repeating: 0, count: 64)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe openpty(&terminal, &programsEnd, &name, nil, &size) == 0 else { throw StartError(code: errno) }
        _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
        _ = fcntl(programsEnd, F_SETFD, FD_CLOEXEC)
        // Held until the program has it open: a terminal that nobody has open reads as ended.
        defer { close(programsEnd) }
        self.terminal = terminal
        self.started = ContinuousClock.now
        do {
            self.pid = try spawn(path, arguments, environment, on: &name)
        } catch {
            close(terminal)
            throw error
        }
        let copy = fcntl(terminal, F_DUPFD_CLOEXEC, 0)
        DispatchQueue(label: "terminal").async { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                // EIO once the program has ended and nobody has the terminal open any more (pts(4)).
                let count = unsafe read(copy, &buffer, buffer.count)
                guard count > 0 else { break }
                let output = Output(moment: .now, bytes: Array(buffer.prefix(count)))
                self?.screen.withLock { $0.append(output) }
            }
            close(copy)
        }
    }

    deinit {
        self.end()
        close(self.terminal)
    }

    /// Everything on the screen so far.
    package var outputs: [Output] { self.screen.withLock { $0 } }

    package var text: String { String(decoding: self.outputs.flatMap(\.bytes), as: UTF8.self) }

    package func end() {
        let isFirst = self.hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        guard isFirst else { return }
        kill(self.pid, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(self.pid, &status, 0) < 0, errno == EINTR {}
    }
}

private func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String], on terminal: inout [CChar]
) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session leader without one opens becomes its own.
    for descriptor: Int32 in 0...2 {
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, &terminal, O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Worker threads block nearly every signal, and a child inherits the mask of the thread that starts it.
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    // 0x80 is POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows to _GNU_SOURCE alone.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
    let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    let settings = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let code = unsafe posix_spawnp(&pid, path, &actions, &attributes, words, settings)
    guard code == 0 else { throw TerminalProcess.StartError(code: code) }
    return pid
}
