import Observability
import Synchronization
import Testing

@Suite("A logger")
struct LoggerTests {
    /// The lines a closure logs.
    static func lines(
        _ format: LogFormat, level: LogLevel = .debug, at milliseconds: Int64 = 1_709_164_799_007,
        _ body: (Logger) -> Void
    ) -> [String] {
        let lines = Mutex<[String]>([])
        let sink = LogSink { line in lines.withLock { $0.append(line) } }
        body(Logger(component: "test", level: level, format: format, sink: sink, clock: { milliseconds }))
        return lines.withLock { $0 }
    }

    @Test(
        arguments: [
            (
                .plain,
                "2024-02-28T23:59:59.007Z warning test: it happened address=\"a b\" count=3 error=\"\" limit=80\n"
            ),
            (.journald, "<4>test: it happened address=\"a b\" count=3 error=\"\" limit=80\n"),
            (
                .json,
                #"{"time":"2024-02-28T23:59:59.007Z","level":"warning","component":"test","message":"it happened","#
                    + #""address":"a b","count":3,"error":"","limit":80}"# + "\n"
            ),
        ] as [(LogFormat, String)])
    func `writes each format`(format: LogFormat, expected: String) {
        let lines = Self.lines(format) { logger in
            logger.with([.limit: 80, .count: 1]).warning(
                "it happened", [.address: "a b", .count: 3, .error: .text("")])
        }
        #expect(lines == [expected])
    }

    @Test func `tells what the task works on, and a line's own word before that`() async {
        let lines = Mutex<[String]>([])
        let logger = Logger(component: "test", sink: LogSink { line in lines.withLock { $0.append(line) } })
        await LogContext.with({ [.requestID: "one", .network: "192.0.2.x"] }) {
            Task {
                async let child: Void = logger.info("inside")
                await child
                logger.with([.requestID: "two"]).info("inside", [.network: "198.51.100.x"])
            }
        }.value
        logger.info("outside")
        let ends = lines.withLock { $0 }.map { $0.split(separator: " test: ", maxSplits: 1).last ?? "" }
        #expect(
            ends == [
                "inside network=192.0.2.x request_id=one\n", "inside network=198.51.100.x request_id=two\n",
                "outside\n",
            ])
    }

    @Test func `keeps to its level`() {
        let lines = Self.lines(.plain, level: .notice) { logger in
            logger.debug("no")
            logger.info("no")
            logger.notice("yes")
            logger.error("yes")
        }
        #expect(lines.count == 2)
        #expect(LogLevel.allCases.sorted() == [.debug, .info, .notice, .warning, .error])
    }

    @Test(
        arguments: LogFormat.allCases,
        ["a\nb", "\r\n<0>evil: x", "\u{1B}[31mred", "\u{0}", "\u{85}\u{2028}", "\u{9B}31m", "\u{202E}txt", "\"},{\""])
    func `writes one line whatever a fact holds`(format: LogFormat, text: String) {
        let lines = Self.lines(format) { $0.info("message", [.detail: .text(text)]) }
        #expect(lines.count == 1)
        let body = lines[0].dropLast().unicodeScalars
        let own = format == .terminal ? "\u{1B}" : ""
        for scalar in body where !own.unicodeScalars.contains(scalar) {
            #expect(scalar.properties.generalCategory != .control, "\(lines[0].debugDescription)")
        }
        #expect(!lines[0].contains("\u{2028}") && !lines[0].contains("\u{202E}"))
        if format == .terminal { #expect(!lines[0].contains("\u{1B}[31mred")) }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (1_767_225_599_123, "2025-12-31T23:59:59.123Z"),
        ] as [(Int64, String)])
    func `tells the time of any day`(milliseconds: Int64, text: String) {
        #expect(Self.lines(.plain, at: milliseconds) { $0.info("now") } == ["\(text) info test: now\n"])
    }
}
