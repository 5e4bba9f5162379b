import HTTPServer
import Testing

@Suite("An IP address")
struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", "192.0.2.0/24"), ("0.255.10.0", "0.255.10.0", "0.255.10.0/24"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.0/24"),
        ("2001:DB8:0:0:1::1", "2001:db8::1:0:0:1", "2001:db8::/64"), ("::1", "::1", "::/64"),
    ])
    func `is read and written`(text: String, description: String, prefix: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == description)
        #expect(address.prefix == prefix)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.4:80", "1.2.3.256", "1.02.3.4", "1..2.3", "1.2.3.", " 1.2.3.4", "[::1]",
        "::g", "1.2.3.4\u{0}", "host",
    ])
    func `is nothing else`(text: String) { #expect(IPAddress(text) == nil) }

    @Test func `knows its network`() throws {
        let home = try #require(IPAddress("192.0.2.1"))
        #expect(home.isSameNetwork(as: try #require(IPAddress("192.0.2.200"))))
        #expect(!home.isSameNetwork(as: try #require(IPAddress("192.0.3.1"))))
        let six = try #require(IPAddress("2001:db8::1"))
        #expect(six.isSameNetwork(as: try #require(IPAddress("2001:db8::ffff:1"))))
        #expect(!six.isSameNetwork(as: try #require(IPAddress("2001:db8:0:1::1"))))
        #expect(!six.isSameNetwork(as: home))
        #expect(try #require(IPAddress("127.9.9.9")).isLoopback)
        #expect(try #require(IPAddress("::1")).isLoopback)
        #expect(!home.isLoopback)
    }
}
