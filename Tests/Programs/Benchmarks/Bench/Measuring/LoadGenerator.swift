import RealPrograms
import TestSupport

/// wrk with one thread on a processor of its own.
struct LoadGenerator: Sendable {
    struct Outcome: Sendable {
        let requestsPerSecond: Double
        let requests: Int
        /// Answers with a status of 400 or above, or 300 to 399.
        let otherThanSuccess: Int
        let bytesPerAnswer: Double
        /// From a request to its answer, the 99th percentile and the median.
        let slowest: Duration
        let median: Duration
        /// Seconds of the processor that the server spent on a request; 0 when it was not watched.
        let processorTime: Double
    }

    /// A Lua script that wrk runs for each request.
    let script: String
    let url: String
    var seconds: Int
    var connections = 64
    /// The process whose processor time is wanted.
    var server: Int32?

    /// Runs a script that ends the load generator by itself, at most for ``seconds``.
    func runToItsEnd() async throws {
        let (end, output, talk) = try await self.start().run()
        guard end == .exited(0) else { throw NotMeasured(description: "wrk failed: \(output) \(talk)") }
    }

    private func start() throws -> ChildProcess {
        try ChildProcess(
            "taskset",
            [
                "-c", Processors.load, "wrk", "-t1", "-c\(self.connections)", "-d\(self.seconds)s", "--timeout", "10s",
                "-s", self.script, self.url,
            ])
    }

    /// - Throws: when wrk could not connect, or lost connections: the rate then means nothing.
    func run() async throws -> Outcome {
        func processorTime() throws -> Double { try self.server.map { try ProcessFacts.processorTime(of: $0) } ?? 0 }
        let before = try processorTime()
        let (end, output, talk) = try await self.start().run()
        guard end == .exited(0), let line = output.split(separator: "\n").first(where: { $0.hasPrefix("OUTCOME ") })
        else { throw NotMeasured(description: "wrk failed: \(output) \(talk)") }
        // requests, microseconds, bytes, errors by kind: status, connect, read, write, timeout; microseconds twice
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        guard numbers.count == 10, numbers[0] > 0, numbers[1] > 0 else { throw NotMeasured(description: String(line)) }
        guard numbers[4..<8].allSatisfy({ $0 == 0 }) else {
            throw NotMeasured(description: "wrk lost connections (connect, read, write, timeout): \(numbers[4..<8])")
        }
        return Outcome(
            requestsPerSecond: Double(numbers[0]) / Double(numbers[1]) * 1_000_000, requests: numbers[0],
            otherThanSuccess: numbers[3], bytesPerAnswer: Double(numbers[2]) / Double(numbers[0]),
            slowest: .microseconds(numbers[8]), median: .microseconds(numbers[9]),
            processorTime: (try processorTime() - before) / Double(numbers[0]))
    }

    /// The end of every script: one line with whole numbers.
    static let report = """
        function done(summary, latency, requests)
            local e = summary.errors
            io.write(string.format("OUTCOME %d %d %d %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
                summary.bytes, e.status, e.connect, e.read, e.write, e.timeout, latency:percentile(99),
                latency:percentile(50)))
        end
        """
}

/// Who runs where: what is compared on one processor, the load on another, so that neither takes from the other.
enum Processors {
    static let server = "0"
    static let load = "1"
}
