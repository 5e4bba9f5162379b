import Glibc

/// A terminal that does not show what is typed, until this goes out of scope.
package struct SilentTerminal: ~Copyable {
    private let terminal: BorrowedDescriptor
    private var settings: termios

    /// Input that was typed before is dropped.
    /// - Throws: when it is no terminal, or cannot be kept from showing.
    package init(_ terminal: BorrowedDescriptor) throws(SystemError) {
        var settings = termios()
        guard unsafe tcgetattr(terminal.number, &settings) == 0 else { throw .last }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else { throw .last }
        self.terminal = terminal
        self.settings = settings
    }

    deinit {
        var settings = self.settings
        _ = unsafe tcsetattr(self.terminal.number, TCSAFLUSH, &settings)
    }

    /// The next line with its end, at most `limit` bytes of it; empty at the end of input.
    package func line(limit: Int) throws(SystemError) -> [UInt8] { try self.terminal.line(limit: limit) }
}
