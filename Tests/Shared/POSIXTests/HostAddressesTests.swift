import POSIX
import Testing

@Suite("Addresses of hosts")
struct HostAddressesTests {
    @Test func `are those of a name, each once, and an address is its own`() throws {
        let local = try HostAddresses.lookUp("localhost", limit: 16)
        #expect(!Set(local).isDisjoint(with: ["127.0.0.1", "::1"]))
        #expect(Set(local).count == local.count)
        #expect(try HostAddresses.lookUp("localhost", limit: 1).count == 1)
        #expect(try HostAddresses.lookUp("192.0.2.1", limit: 16) == ["192.0.2.1"])
        #expect(try HostAddresses.lookUp("2001:DB8::1", limit: 16) == ["2001:db8::1"])
    }

    @Test func `are not found of a name that there is not`() {
        #expect(throws: UnknownHost.self) { try HostAddresses.lookUp("name.invalid", limit: 16) }
        #expect(throws: UnknownHost.self) { try HostAddresses.lookUp("", limit: 16) }
        #expect(UnknownHost.absent.isAnswer)
        #expect(!UnknownHost.noAnswer.isAnswer)
        #expect("\(UnknownHost.absent)" != "\(UnknownHost.noAnswer)")
    }
}
