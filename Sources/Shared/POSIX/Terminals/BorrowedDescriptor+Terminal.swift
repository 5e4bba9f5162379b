import Glibc

extension BorrowedDescriptor {
    /// Whether a terminal is at the other end, rather than a file, a pipe or a journal.
    package var isTerminal: Bool { isatty(self.number) == 1 }

    /// The next line of a terminal with its end, at most `limit` bytes of it; empty at the end of input.
    package func line(limit: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        // A terminal gives one line at a time (termios(3), "Canonical and noncanonical mode").
        let count = unsafe Glibc.read(self.number, &buffer, buffer.count)
        guard count >= 0 else { throw .last }
        return Array(buffer.prefix(count))
    }

    /// The size the kernel knows for a terminal, in character cells; `nil` when it knows no size, as on a serial line.
    package var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        // ioctl_tty(2): TIOCGWINSZ fills in one `struct winsize`; `size` outlives the call.
        guard unsafe ioctl(self.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The pixels of a character cell, as far as the kernel was told; `nil` when it was not.
    package var terminalCell: (width: Int, height: Int)? {
        var size = winsize()
        guard unsafe ioctl(self.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
            size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
        else { return nil }
        return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
    }
}
