import HTTPServer
import ServerAPI
import Testing

@Suite("The address of a caller")
struct ClientAddressTests {
    static let proxy = IPAddress("10.0.0.1")!
    static let stranger = IPAddress("203.0.113.9")!

    private func address(
        from remote: IPAddress, forwarded: [String], trusting proxies: Set<IPAddress> = [proxy]
    ) -> String {
        var headers = HTTPHeaders()
        for value in forwarded { headers.add("X-Forwarded-For", value) }
        let request = HTTPRequest(method: .get, target: "/", headers: headers, remoteAddress: remote)
        return ClientAddress.of(request, trusting: proxies).description
    }

    @Test("is the peer's unless the peer is a trusted proxy")
    func untrusted() {
        #expect(self.address(from: Self.stranger, forwarded: ["198.51.100.7"]) == "203.0.113.9")
        #expect(self.address(from: Self.proxy, forwarded: ["198.51.100.7"], trusting: []) == "10.0.0.1")
    }

    @Test(
        "is what the last trusted proxy saw",
        arguments: [
            (["198.51.100.7"], "198.51.100.7"), (["198.51.100.7, 10.0.0.1"], "198.51.100.7"),
            (["198.51.100.7", "10.0.0.1"], "198.51.100.7"), ([" 2001:db8::5 "], "2001:db8::5"),
            (["[2001:db8::5]:443"], "2001:db8::5"), (["198.51.100.7:4711"], "198.51.100.7"), ([], "10.0.0.1"),
            (["unknown"], "10.0.0.1"), ([""], "10.0.0.1"),
        ])
    func trusted(forwarded: [String], expected: String) {
        #expect(self.address(from: Self.proxy, forwarded: forwarded) == expected)
    }

    @Test("cannot be made up by the caller")
    func spoofed() {
        #expect(self.address(from: Self.proxy, forwarded: ["1.2.3.4, 198.51.100.7"]) == "198.51.100.7")
        #expect(self.address(from: Self.proxy, forwarded: ["1.2.3.4, nonsense, 10.0.0.1"]) == "10.0.0.1")
    }
}
