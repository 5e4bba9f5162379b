import Clientless
import Testing

@testable import ServerAPI

@Suite("The memory of nonces")
struct NonceMemoryTests {
    static let now = Timestamp(milliseconds: 1_767_225_600_000)
    static let end = now + .seconds(900)

    private func take(
        _ memory: NonceMemory, _ nonce: String, _ text: UInt64, key: String = "K", now: Timestamp = now
    ) -> Bool {
        memory.take([key, nonce].hashValue, text: text, until: now + .seconds(900), now: now)
    }

    @Test func `lets one header be used again, and no other header with its nonce`() {
        let memory = NonceMemory()
        #expect(self.take(memory, "n", 1))
        #expect(self.take(memory, "n", 1))
        #expect(!self.take(memory, "n", 2))
        #expect(self.take(memory, "n", 2, key: "L"))
        #expect(self.take(memory, "m", 2))
    }

    @Test func `forgets a nonce with the header it came in`() {
        let memory = NonceMemory()
        #expect(self.take(memory, "n", 1))
        #expect(!self.take(memory, "n", 2, now: Self.end))
        #expect(self.take(memory, "n", 2, now: Self.end + .milliseconds(1)))
        #expect(!self.take(memory, "n", 1, now: Self.end + .milliseconds(2)))
    }
}
