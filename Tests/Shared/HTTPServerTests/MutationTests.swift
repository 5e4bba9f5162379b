import HTTPServer
import TestSupport
import Testing

@Suite("A server fed with garbage", .timeLimit(.minutes(5)))
struct MutationTests {
    static let corpus = [
        "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /echo/x.json?a=%41+b&c==&a HTTP/1.1\r\nHost: a\r\nCookie: a=b; c=\"d\"\r\n\r\n",
        "POST /echo/x HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: 11\r\n\r\na=1&b=%zz&c",
        "POST /echo/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "4\r\na=bc\r\n3;x=y\r\ndef\r\n0\r\nT: v\r\n\r\n",
        "HEAD http://host/later HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nOrigin: https://x\r\nExpect: 100-continue\r\n\r\n",
        "GET //later///?n=1 HTTP/1.1\r\nHost: a\r\nX-Folded: a\r\n b\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    static let fragments = [
        "\r\n", "\n", "\r", "\u{0}", " ", ":", "Content-Length: 5\r\n", "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "HTTP/1.1", "HTTP/9.9", "%", "%00", "\u{FF}", "FFFFFFFFFFFFFFFF\r\n", "\t",
        "Expect: 100-continue\r\n", "Connection: close\r\n", "Connection: Upgrade\r\nUpgrade: h2c\r\n",
    ]

    @Test(.server(ServingTests.router) { $0.idleTimeout = .seconds(1) }, arguments: [1, 2, 3] as [UInt64])
    func `answers or closes, every time, and then serves the next`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let requests = (0..<200).map { _ in Self.mutated(&random) }
        // At once, because some are answered by a timeout only.
        try await concurrently(200) { number in
            let client = try server.connect()
            await client.sendWhatGoes(requests[number])
            client.closeWriting()
            let answer = try await client.rest()
            let text = String(decoding: answer.prefix(9), as: UTF8.self)
            #expect(answer.isEmpty || text == "HTTP/1.1 " || text == "HTTP/1.0 ", "\(requests[number])")
        }
        #expect(try await server.answer("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body == "hello")
    }

    private static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array((Self.corpus.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                bytes.insert(contentsOf: (Self.fragments.randomElement(using: &random) ?? "").utf8, at: position)
            case 1 where position < bytes.count:
                bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 2:
                bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...12, using: &random)))
            case 3:
                bytes.removeLast(bytes.count - position)
            default:
                bytes.insert(contentsOf: bytes.prefix(position), at: position)
            }
        }
        return bytes
    }
}
