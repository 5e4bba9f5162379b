import HTTPServer
import Testing

@Suite("A set of addresses")
struct AddressSetTests {
    @Test(
        "has what is in one of its networks, and nothing beside them",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("10.1.2.0/23", "10.1.3.255", "10.1.4.0"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("192.0.2.1/32", "192.0.2.1", "192.0.2.0"),
            ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"), ("::/0", "2001:db8::1", "203.0.113.9"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("2001:db8:0:8000::/49", "2001:db8:0:ffff::1", "2001:db8:0:7fff::1"),
            ("2001:db8::1:0/112", "2001:db8::1:ffff", "2001:db8::2:0"), ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
            // An IPv4 address in IPv6 clothing is the IPv4 address.
            ("10.0.0.0/8", "::ffff:10.0.0.1", "::10.0.0.1"),
        ])
    func membership(_ network: String, _ member: String, _ stranger: String) throws {
        let set = AddressSet([try #require(IPNetwork(network))])
        #expect(set.contains(try #require(IPAddress(member))))
        #expect(!set.contains(try #require(IPAddress(stranger))))
        #expect(!set.contains(.unix))
    }

    @Test func `has the Unix socket when that is named, and nothing when it is empty`() throws {
        #expect(AddressSet([try #require(IPNetwork("unix"))]).contains(.unix))
        #expect(AddressSet([]).isEmpty && !AddressSet([]).contains(.unix))
        let literal: AddressSet = [.unix]
        #expect(!literal.isEmpty && literal.contains(.unix))
    }

    @Test(arguments: [
        "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/+8", "2001:db8::/129",
        "2001:db8::1/64", "", "/8", "unix/0", "::ffff:10.0.0.0/104", "10.0.0.0/0008", "10.0.0.0/８",
    ])
    func `takes no network with bits behind its length, or that is none`(_ text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test("writes networks as they are read", arguments: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1", "unix"])
    func description(_ text: String) { #expect(IPNetwork(text)?.description == text) }
}
