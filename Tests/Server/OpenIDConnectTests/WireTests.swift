import HTTPClient
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite("A provider on a real connection", .timeLimit(.minutes(5)))
struct WireTests {
    private func fault(at url: String) async throws -> OpenIDConnectFault? {
        let issuer = try #require(Issuer(url, policy: .secureOrLoopback))
        var settings = OpenIDConnectClient.Settings(issuer: issuer, clientID: "latchkey", authentication: .none)
        settings.policy = .secureOrLoopback
        let client = OpenIDConnectClient(
            settings, exchange: HTTPClient(), clocks: (now: { TestClock.start }, steady: { .zero }))
        let found = await OpenIDConnectTests.fault { () throws(OpenIDConnectFault) in try await client.metadata() }
        guard let found, case .exchange(let error) = found.cause else { return found }
        // Without libcurl's own words.
        return OpenIDConnectFault(
            found.step, .exchange(HTTPClientError(error.code, certificateFault: error.certificateFault)))
    }

    @Test func `that answers garbage, too much, or nothing is told apart`() async throws {
        let endless = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"issuer\":\""
        let cases: [(ScriptedServer.Answer, OpenIDConnectFault.Cause)] = [
            (.response(200, body: "<html>garbage</html>"), .unreadable), (.response(200, body: ""), .unreadable),
            (.response(404, body: "{}"), .status(404)), (.response(503, body: ""), .status(503)),
            // Where it leads to is not the address that was asked.
            (.response(302, headers: ["Location": "https://evil.example/"]), .status(302)),
            (.raw("garbage\r\n\r\n"), .exchange(HTTPClientError(.protocolError))),
            (.close, .exchange(HTTPClientError(.connectionLost))),
            (.raw("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"), .exchange(HTTPClientError(.tooLarge))),
            (.raw(endless + String(repeating: "a", count: 8 << 20)), .exchange(HTTPClientError(.tooLarge))),
        ]
        for (answer, expected) in cases {
            let server = try ScriptedServer { _ in answer }
            #expect(try await self.fault(at: server.url) == OpenIDConnectFault(.discovery, expected))
        }
        let gone = try ScriptedServer { _ in .close }.url
        #expect(try await self.fault(at: gone)?.trouble == .unreachable)
        let unknown = try await self.fault(at: "https://name.invalid")
        #expect(unknown?.cause == .exchange(HTTPClientError(.unreachable)))
    }

    @Test func `with a certificate that no one vouches for is a matter of configuration`() async throws {
        let server = try await TLSServer()
        let found = try await self.fault(at: String(server.url.dropLast()))
        let untrusted = HTTPClientError(.tls, certificateFault: .unknownAuthority)
        #expect(found == OpenIDConnectFault(.discovery, .exchange(untrusted)))
        #expect(found?.trouble == .misconfigured)
        #expect(found?.description.hasSuffix("; the setting authorities can name its authority") == true)
    }

    @Test(arguments: [
        (HTTPClientError.CertificateFault.expired, "keys: the certificate has expired"),
        (.notYetValid, "keys: the certificate is not valid yet, by the clock of this machine"),
        (.otherHost, "keys: the certificate is of another host, or TLS does not work"),
    ])
    func `with a certificate outside its time says so`(_ fault: HTTPClientError.CertificateFault, _ sentence: String) {
        #expect("\(OpenIDConnectFault(.keys, .exchange(HTTPClientError(.tls, certificateFault: fault))))" == sentence)
    }
}
