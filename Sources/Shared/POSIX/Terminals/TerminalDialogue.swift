import Glibc

/// A question to a terminal, which answers as a keyboard does.
package enum TerminalDialogue {
    /// Writes `question` and reads what comes, without showing it, until it is enough or `patience` is over. Blocks its
    /// thread meanwhile. Input from before is dropped, and so is input that comes too late.
    /// - Parameter isEnough: looks at all that has come so far.
    /// - Returns: what has come; nothing if there is no terminal, or where asking would stop the process since it is
    ///   in the background.
    package static func ask(
        _ terminal: BorrowedDescriptor, _ question: String, patience: Duration, isEnough: ([UInt8]) -> Bool
    ) -> [UInt8] {
        // tcsetattr(3) and read(2) of a process in the background stop it (termios(3), SIGTTOU and SIGTTIN).
        guard terminal.isTerminal, tcgetpgrp(terminal.number) == getpgrp() else { return [] }
        // Talk goes to descriptors that may be open for writing alone.
        let access = fcntl(terminal.number, F_GETFL)
        guard access >= 0, access & O_ACCMODE == O_RDWR else { return [] }
        var settings = termios()
        guard unsafe tcgetattr(terminal.number, &settings) == 0 else { return [] }
        var raw = settings
        // Control and C go on being signals.
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard unsafe tcsetattr(terminal.number, TCSAFLUSH, &raw) == 0 else { return [] }
        defer { _ = unsafe tcsetattr(terminal.number, TCSAFLUSH, &settings) }
        guard (try? terminal.write(question)) != nil else { return [] }
        return Self.answer(on: terminal, patience: patience, isEnough: isEnough)
    }

    /// The longest answer that is read.
    private static let limit = 4096

    private static func answer(
        on terminal: BorrowedDescriptor, patience: Duration, isEnough: ([UInt8]) -> Bool
    ) -> [UInt8] {
        let end = ContinuousClock.now + patience
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while !isEnough(answer), answer.count < Self.limit {
            let left = (end - .now) / Duration.milliseconds(1)
            guard left > 0 else { break }
            var ready = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&ready, 1, Int32(left.rounded(.up)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let length = unsafe read(terminal.number, &buffer, buffer.count)
            guard length > 0 else { break }
            answer += buffer.prefix(length)
        }
        return answer
    }
}
