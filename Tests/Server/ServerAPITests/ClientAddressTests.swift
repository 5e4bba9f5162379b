import HTTPServer
import Observability
import Synchronization
import Testing

@testable import ServerAPI

@Suite("The address of a caller")
struct ClientAddressTests {
    static let proxy = IPAddress("10.0.0.1")!
    static let stranger = IPAddress("203.0.113.9")!

    private func address(
        from remote: IPAddress, forwarded: [String], trusting proxies: AddressSet = [proxy]
    ) -> String {
        var headers = HTTPHeaders()
        for value in forwarded { headers.add("X-Forwarded-For", value) }
        let request = HTTPRequest(method: .get, target: "/", headers: headers, remoteAddress: remote)
        return ClientAddress.of(request, trusting: proxies).description
    }

    @Test func `is the peer's unless the peer is a trusted proxy`() {
        #expect(self.address(from: Self.stranger, forwarded: ["198.51.100.7"]) == "203.0.113.9")
        #expect(self.address(from: Self.proxy, forwarded: ["198.51.100.7"], trusting: []) == "10.0.0.1")
    }

    @Test(arguments: [
        (["198.51.100.7"], "198.51.100.7"), (["198.51.100.7, 10.0.0.1"], "198.51.100.7"),
        (["198.51.100.7", "10.0.0.1"], "198.51.100.7"), ([" 2001:db8::5 "], "2001:db8::5"),
        (["[2001:db8::5]:443"], "2001:db8::5"), (["198.51.100.7:4711"], "198.51.100.7"), ([], "10.0.0.1"),
        (["unknown"], "10.0.0.1"), ([""], "10.0.0.1"),
    ])
    func `is what the last trusted proxy saw`(forwarded: [String], expected: String) {
        #expect(self.address(from: Self.proxy, forwarded: forwarded) == expected)
    }

    @Test func `may be asked for while it is found, as the log line does that tells of a proxy`() {
        let request = HTTPRequest(method: .get, target: "/", headers: HTTPHeaders(), remoteAddress: Self.proxy)
        #expect(request.caller { request.caller { Self.stranger } } == Self.stranger)
        #expect(request.caller { Self.proxy } == Self.stranger)
    }

    @Test func `is asked for behind every proxy of a trusted network`() throws {
        let network = AddressSet([try #require(IPNetwork("10.0.0.0/8"))])
        #expect(
            self.address(from: Self.proxy, forwarded: ["198.51.100.7, 10.200.0.9"], trusting: network) == "198.51.100.7"
        )
    }

    @Test func `that the proxies and the configuration do not agree on is said, once each`() {
        let lines = Mutex<[String]>([])
        var settings = APISettings(publicURL: "https://tv.example")
        settings.trustedProxies = [Self.proxy]
        settings.proxyWatch = ProxyWatch(
            logger: Logger(component: "test", sink: LogSink { line in lines.withLock { $0.append(line) } }),
            publicURL: settings.publicURL)
        let addresses = CallerAddresses(settings)
        func ask(_ remote: IPAddress, _ headers: HTTPHeaders) {
            _ = addresses.address(of: HTTPRequest(method: .get, target: "/", headers: headers, remoteAddress: remote))
        }
        ask(Self.proxy, ["X-Forwarded-For": "198.51.100.7"])
        ask(Self.stranger, [:])
        #expect(lines.withLock(\.count) == 0)
        for _ in 0..<3 { ask(Self.stranger, ["X-Forwarded-For": "198.51.100.7"]) }
        #expect(lines.withLock(\.count) == 1)
        #expect(lines.withLock { $0.last?.contains("trustedProxies") } == true)
        for _ in 0..<3 { ask(Self.proxy, [:]) }
        #expect(lines.withLock(\.count) == 2)
        #expect(lines.withLock { $0.last?.contains("sent no X-Forwarded-For") } == true)
        for host in ["tv.example", "TV.example:443"] { ask(.unix, ["Host": host]) }
        ask(Self.stranger, ["Host": "tv.example"])
        for host in ["localhost:8080", "127.0.0.1", "other.example"] { ask(IPAddress("127.0.0.1")!, ["Host": host]) }
        #expect(lines.withLock(\.count) == 3)
        #expect(lines.withLock { $0.last?.contains("a proxy on this machine seems to send no") } == true)
        // The line names the network of a stranger, not the stranger, and never what was claimed.
        #expect(!lines.withLock { $0.joined().contains("198.51.100.7") || $0.joined().contains("203.0.113.9") })
    }

    @Test func `cannot be made up by the caller`() {
        #expect(self.address(from: Self.proxy, forwarded: ["1.2.3.4, 198.51.100.7"]) == "198.51.100.7")
        #expect(self.address(from: Self.proxy, forwarded: ["1.2.3.4, nonsense, 10.0.0.1"]) == "10.0.0.1")
    }

    @Test(arguments: [
        ("198.51.100.7", "198.51.100.7"), ("198.51.100.7, 203.0.113.1, 10.0.0.1", "198.51.100.7"),
        ("10.1.2.3, 192.168.1.2, 172.16.0.1, 172.31.255.255, 198.51.100.7", "198.51.100.7"),
        ("100.64.0.1, 100.127.255.255, 169.254.1.1, 127.0.0.1, 198.51.100.7", "198.51.100.7"),
        ("0.0.0.0, 224.0.0.1, 240.0.0.1, 255.255.255.255, 1.2.3.4", "1.2.3.4"),
        ("172.15.0.1", "172.15.0.1"), ("172.32.0.1", "172.32.0.1"), ("100.63.0.1", "100.63.0.1"),
        ("100.128.0.1", "100.128.0.1"), ("223.255.255.1", "223.255.255.1"),
        ("unknown, _hidden, 198.51.100.7:4711", "198.51.100.7"), ("[2001:db8::5]:443", "2001:db8::5"),
        ("::1, ::, fe80::1, febf::1, fec0::1, fc00::1, fdff::1, ff02::1, 2001:db8::5", "2001:db8::5"),
        ("::ffff:10.0.0.1, ::ffff:198.51.100.7", "198.51.100.7"),
    ])
    func `is, when a programmer's server forwards it, the leftmost public one`(forwarded: String, expected: String) {
        let request = HTTPRequest(method: .get, target: "/", headers: ["X-Forwarded-For": forwarded])
        #expect(ClientAddress.forwarded(by: request)?.description == expected)
    }

    @Test(
        arguments: ["", "10.0.0.1", "unknown", "999.1.1.1", String(repeating: "10.0.0.1,", count: 32) + "198.51.100.7"])
    func `is nobody's where a server forwards none that is public`(forwarded: String) {
        let request = HTTPRequest(method: .get, target: "/", headers: ["X-Forwarded-For": forwarded])
        #expect(ClientAddress.forwarded(by: request) == nil)
    }
}
