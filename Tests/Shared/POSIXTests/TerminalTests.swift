import Glibc
import POSIX
import TestSupport
import Testing

@Suite("A terminal")
struct TerminalTests {
    /// Both ends of a pseudo-terminal.
    private final class Pair {
        let keyboard: Int32
        let terminal: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let isMade = unsafe ends.withUnsafeMutableBufferPointer { ends in
                unsafe openpty(&ends[0], &ends[1], nil, nil, nil) == 0
            }
            try #require(isMade)
            self.keyboard = ends[0]
            self.terminal = ends[1]
        }

        deinit {
            close(self.keyboard)
            close(self.terminal)
        }

        var echoes: Bool {
            var settings = termios()
            return unsafe tcgetattr(self.terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
        }
    }

    @Test func `does not show what is typed while it is silent, and does again afterwards`() throws {
        let pair = try Pair()
        #expect(pair.echoes)
        do {
            let silent = try SilentTerminal(BorrowedDescriptor(pair.terminal))
            #expect(!pair.echoes)
            try BorrowedDescriptor(pair.keyboard).write("secret\nmore\n")
            #expect(try silent.line(limit: 64) == Array("secret\n".utf8))
        }
        #expect(pair.echoes)
    }

    @Test func `is told from a file, and has no size until one is set`() throws {
        let pair = try Pair()
        let terminal = BorrowedDescriptor(pair.terminal)
        #expect(terminal.isTerminal)
        #expect(terminal.terminalSize == nil)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe ioctl(pair.keyboard, UInt(TIOCSWINSZ), &size) == 0)
        #expect(terminal.terminalSize?.columns == 80)
        #expect(terminal.terminalSize?.rows == 24)
        let folder = try TemporaryFolder()
        let file = unsafe open(try folder.write("", to: "file"), O_RDONLY)
        defer { close(file) }
        #expect(!BorrowedDescriptor(file).isTerminal)
        #expect(throws: SystemError.self) { _ = try SilentTerminal(BorrowedDescriptor(file)) }
    }

    @Test func `has cells of a size in pixels only when it was told`() throws {
        let pair = try Pair()
        let terminal = BorrowedDescriptor(pair.terminal)
        for (size, width, height): (winsize, Int?, Int?) in [
            (winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0), nil, nil),
            (winsize(ws_row: 24, ws_col: 80, ws_xpixel: 800, ws_ypixel: 480), 10, 20),
        ] {
            var size = size
            try #require(unsafe ioctl(pair.keyboard, UInt(TIOCSWINSZ), &size) == 0)
            #expect(terminal.terminalCell?.width == width && terminal.terminalCell?.height == height)
        }
    }

    @Test("is no console of the machine, and is asked nothing by a process that it is not the terminal of")
    func foreign() throws {
        let pair = try Pair()
        let terminal = BorrowedDescriptor(pair.terminal)
        #expect(LinuxConsole(terminal) == nil)
        #expect(TerminalDialogue.ask(terminal, "?", patience: .seconds(60), isEnough: { !$0.isEmpty }) == [])
        #expect(pair.echoes)
        var count: Int32 = -1
        try #require(unsafe ioctl(pair.keyboard, UInt(FIONREAD), &count) == 0)
        #expect(count == 0)
    }
}
