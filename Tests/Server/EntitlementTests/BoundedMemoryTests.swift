import Entitlement
import Testing

@Suite("A bounded memory")
struct BoundedMemoryTests {
    @Test func `never holds more than its bound, and keeps what is asked for`() {
        let memory = BoundedMemory<Int, Int>(bound: 100, shards: 1)
        memory.update(0, initial: 0) { $0 = 7 }
        for key in 1...100_000 {
            memory.update(key, initial: 0) { $0 = key }
            if key % 10 == 0 { #expect(memory[0] == 7) }
            #expect(memory.count <= 101)
        }
    }

    @Test func `forgets what no one asked for between two ages`() {
        let memory = BoundedMemory<Int, Int>(bound: 100)
        for key in 0..<4 { memory.update(key, initial: key) { _ in } }
        memory.age()
        #expect(memory.count == 4 && memory[1] == 1)
        memory.age()
        #expect(memory.count == 1 && memory[1] == 1)
    }

    @Test func `does not keep a value fetched before its key was forgotten`() {
        let memory = BoundedMemory<String, Int>(bound: 10, shards: 1)
        let ticket = memory.ticket(for: "a")
        memory.forget("a")
        memory.remember(1, for: "a", since: ticket)
        #expect(memory["a"] == nil)
        memory.remember(2, for: "a", since: memory.ticket(for: "a"))
        #expect(memory["a"] == 2)
    }

    @Test func `keeps what was written only if no other write of its key came between`() {
        let memory = BoundedMemory<String, Int>(bound: 10, shards: 1)
        let (first, second, fetch) = (memory.ticket(for: "a"), memory.ticket(for: "a"), memory.ticket(for: "a"))
        memory.replace("a", since: first) { _ in 1 }
        #expect(memory["a"] == 1)
        memory.remember(0, for: "a", since: fetch)
        #expect(memory["a"] == 1)
        memory.replace("a", since: second) { _ in 2 }
        #expect(memory["a"] == nil)
    }
}
