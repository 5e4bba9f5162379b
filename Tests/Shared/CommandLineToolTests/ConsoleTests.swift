import CommandLineTool
import Glibc
import POSIX
import Testing

@Suite("A console")
struct ConsoleTests {
    /// Both ends of a pipe, closed at the end.
    private struct Pipe: ~Copyable {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(unsafe pipe(&ends) == 0)
            self.reading = ends[0]
            self.writing = ends[1]
        }

        func read() -> String {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe Glibc.read(self.reading, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }

        deinit {
            close(self.reading)
            close(self.writing)
        }
    }

    @Test func `keeps results and talk apart, one line each`() throws {
        let results = try Pipe()
        let talk = try Pipe()
        let console = Console(results: BorrowedDescriptor(results.writing), talk: BorrowedDescriptor(talk.writing))
        try console.result("token")
        console.say("hello\n")
        #expect(results.read() == "token\n")
        #expect(talk.read() == "hello\n")
    }

    @Test func `reports a result that could not be written`() throws {
        let full = unsafe open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let console = Console(results: BorrowedDescriptor(full))
        let error = #expect(throws: SystemError.self) { try console.result("token") }
        #expect(error?.code == ENOSPC)
    }
}
