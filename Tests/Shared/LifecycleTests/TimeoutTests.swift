import Lifecycle
import Testing

@Suite("A timeout", .timeLimit(.minutes(5)))
struct TimeoutTests {
    @Test func `cancels what takes too long`() async {
        await #expect(throws: TimeoutError()) {
            try await withTimeout(.milliseconds(10)) { await StopSignal().wait() }
        }
    }

    @Test func `gives back what comes in time, also an error and also nothing`() async throws {
        struct Failure: Error {}
        #expect(try await withTimeout(.seconds(60)) { 7 } == 7)
        let nothing: Int? = try await withTimeout(.seconds(60)) { nil }
        #expect(nothing == nil)
        await #expect(throws: Failure.self) { try await withTimeout(.seconds(60)) { throw Failure() } }
    }

    @Test func `that is over already cancels at once`() async {
        await #expect(throws: TimeoutError()) {
            try await withTimeout(.seconds(-1)) { await StopSignal().wait() }
        }
    }

    @Test func `leaves a stop signal given for those who come later`() async {
        let signal = StopSignal()
        #expect(!signal.isGiven)
        signal.give()
        signal.give()
        await signal.wait()
        #expect(signal.isGiven)
    }
}
