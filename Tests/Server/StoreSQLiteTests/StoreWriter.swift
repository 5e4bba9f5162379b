import TestSupport

/// A run of the program `StoreCrashWriter`, which writes to a store and says what was kept; killed when released.
struct StoreWriter {
    private let process: ChildProcess
    private var lines: AsyncStream<String>.Iterator

    init(_ arguments: String...) throws {
        self.process = try ChildProcess(ProgramFolder.own.program("StoreCrashWriter"), arguments)
        self.lines = self.process.outputLines.makeAsyncIterator()
    }

    /// The next line, or `nil` when the program closed its output.
    mutating func line() async -> String? { await self.lines.next(isolation: #isolation) }

    mutating func rest() async -> [String] {
        var lines: [String] = []
        while let line = await self.line() { lines.append(line) }
        return lines
    }

    /// Ends the program where it stands. What it wrote before is still to be read.
    func kill() { self.process.send(9) }

    func end() async -> ChildProcess.End { await self.process.waitForEnd() }
}
