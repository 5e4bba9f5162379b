import FoundationEssentials
import HTTPClient
import TestSupport
import Testing

@Suite("Over TLS the HTTP client", .timeLimit(.minutes(5)))
struct TLSTests {
    @Test func `trusts nobody the distribution does not trust, and whom it is told to`() async throws {
        let (server, other) = (try await TLSServer(), try await TLSServer())
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient().send(.init(.get, server.url))
        }
        #expect(error?.code == .tls)

        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = server.certificate
        let response = try await HTTPClient(configuration).send(.init(.get, server.url))
        #expect(response.status == 200)
        configuration.authorityFile = other.certificate
        let client = HTTPClient(configuration)
        await #expect(throws: HTTPClientError.self) { try await client.send(.init(.get, server.url)) }
        try Data(contentsOf: URL(filePath: server.certificate)).write(to: URL(filePath: other.certificate))
        #expect(try await client.send(.init(.get, server.url)).status == 200)
        let elsewhere = server.url.replacing("127.0.0.1", with: "localhost")
        for proxy in [nil, elsewhere] {
            configuration.proxy = proxy
            let otherHost = await #expect(throws: HTTPClientError.self) {
                try await HTTPClient(configuration).send(.init(.get, elsewhere))
            }
            #expect(otherHost?.certificateFault == .otherHost && otherHost?.isOfProxy == (proxy != nil))
        }
    }

    @Test func `says so when the file of trusted certificates is not there`() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = "/nonexistent/certificates.pem"
        let server = try await TLSServer()
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(configuration).send(.init(.get, server.url))
        }
        #expect(error?.code == .tls)
    }

    @Test func `shows the certificate it is given, to a server that asks for one`() async throws {
        let server = try await TLSServer(asksForIdentity: true)
        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = server.certificate
        await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(configuration).send(.init(.get, server.url))
        }
        configuration.identity = (server.certificate, server.key)
        #expect(try await HTTPClient(configuration).send(.init(.get, server.url)).status == 200)

        configuration.identity = (server.certificate, "/nonexistent/key.pem")
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient(configuration).send(.init(.get, server.url))
        }
        #expect(error?.code == .tls)
    }
}
