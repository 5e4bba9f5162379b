import Clientless
import HTTPServer
import Observability
import Synchronization
import Testing

@testable import ServerAPI

@Suite("The log of refused calls")
struct RefusalLogTests {
    private static let start = Timestamp(seconds: 1_767_225_600)

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        var count: Int { self.all.withLock { $0.count } }
        var last: String { self.all.withLock { $0.last ?? "" } }
    }

    private static func log(_ lines: Lines) -> RefusalLog {
        RefusalLog(Logger(component: "test", sink: LogSink { line in lines.all.withLock { $0.append(line) } }))
    }

    private static func origin(_ key: String?) -> RefusalLog.Origin {
        RefusalLog.Origin(key: key, requestor: RequestorID("NORTHSPORT"), network: "192.0.2.0/24", request: .next())
    }

    @Test func `has one line a minute for each cause, credential and requestor, and counts the others`() {
        let lines = Lines()
        let log = Self.log(lines)
        for second in 0..<60 {
            log.note(SignatureFault.signature.rawValue, Self.origin("Key1"), now: Self.start + .seconds(second))
        }
        #expect(lines.count == 1)
        #expect(lines.last.contains("the signature is wrong") && lines.last.contains("Key1"))
        #expect(lines.last.contains("NORTHSPORT") && lines.last.contains("192.0.2.0/24"))
        log.note(SignatureFault.clock.rawValue, Self.origin("Key1"), now: Self.start)
        log.note(SignatureFault.signature.rawValue, Self.origin("Key2"), now: Self.start)
        #expect(lines.count == 3)
        log.note(SignatureFault.signature.rawValue, Self.origin("Key1"), now: Self.start + .seconds(60))
        #expect(lines.count == 4 && lines.last.contains("59"), "\(lines.last)")
    }

    @Test func `stays bounded, and shows nothing of a key that cannot be one`() {
        let lines = Lines()
        let log = Self.log(lines)
        for number in 0..<10_000 {
            log.note(SignatureFault.key.rawValue, Self.origin("Key\(number)"), now: Self.start)
        }
        #expect(lines.count == 257)
        // Those without a line are all counted once the flood is over.
        log.note(SignatureFault.key.rawValue, Self.origin("Key"), now: Self.start + .seconds(61))
        #expect(lines.last.contains("various causes") && lines.last.contains("\(10_000 - 257)"), "\(lines.last)")
        log.note(SignatureFault.key.rawValue, Self.origin("a b\n\u{1B}[31m"), now: Self.start + .seconds(61))
        #expect(!lines.last.contains("31m") && lines.last.contains("the key is not known"))
    }
}
