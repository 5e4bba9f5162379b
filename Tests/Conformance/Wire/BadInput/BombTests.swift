import HTTPClient
import RealPrograms
import Testing

extension BadInput {
    @Suite("Bombs")
    struct BombTests {
        /// The longest body that the server reads, in bytes.
        private static let bodyLimit = 256 * 1024

        static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

        /// Small to send, large or deep to read.
        private static let jsonBombs: [String] = [
            Self.repeated("[", 200_000), Self.repeated("{\"a\":", 40_000),
            Self.repeated("[", 100_000) + Self.repeated("]", 100_000),
            Self.repeated("{\"a\":", 500) + "1" + Self.repeated("}", 500),
            "{\(Self.repeated("\"deviceId\":\"x\",", 15_000))\"a\":1}",
            "{\((0..<15_000).map { "\"m\($0)\":\($0)" }.joined(separator: ","))}",
            "{\"deviceId\":\(Self.repeated("9", 200_000))}", "{\"deviceId\":1e999999999}",
            "{\"deviceId\":-\(Self.repeated("0", 100_000))1}", "{\"deviceId\":\"\(Self.repeated("\\u0000", 30_000))\"}",
            "{\"deviceId\":\"\(Self.repeated("\\uD800", 30_000))\"}",
            "{\"deviceId\":\"\(Self.repeated("x", 250_000))\"}",
            "\u{FEFF}{\"deviceId\":\"x\"}", "{\"deviceId\":\"x\"}\u{0}", "{\"deviceId\":\"x\"", "null", "\"\"", "[]",
            "NaN", "",
        ]

        @Test("JSON that is deep, wide or endless is refused or read within bounds, and nothing else happens")
        func json() async throws {
            let requestor = own.service.profile.requestor
            for bomb in Self.jsonBombs {
                for path in [
                    "/o/client/register", "/o/client/token", "/indiv/devices", "/reggie/v1/\(requestor)/regcode",
                    "/api/v1/authorize", "/api/v1/tokens/authn",
                ] {
                    var headers: HTTPClient.Headers = ["Content-Type": "application/json"]
                    headers["Authorization"] = own.service.signature("POST", path)
                    let answer = try await own.service.send(.post, path, headers: headers, form: bomb)
                    #expect(answer.status < 500, "\(path) \(bomb.prefix(40)): \(answer.summary.prefix(300))")
                    if path == "/o/client/register" {
                        #expect([400, 413].contains(answer.status), "\(answer.summary)")
                    }
                }
            }
            #expect(try await own.isReady())
        }

        @Test func `A body above the limit is not read, however it is announced`() async throws {
            for path in ["/o/client/register", "/api/v1/authorize", "/activate"] {
                let fields = [("Content-Type", "application/x-www-form-urlencoded")]
                let body = "a=" + Self.repeated("x", Self.bodyLimit)
                #expect(try await own.raw("POST", path, fields: fields, body: body).status == 413)
                // Every route takes 16 KiB, and none of these much more.
                let within = "a=" + Self.repeated("x", (16 << 10) - 2)
                #expect(try await own.raw("POST", path, fields: fields, body: within).status != 413)
            }
            // Ten gigabytes of which none come, and a chunk that would be larger than memory.
            let line = "POST /o/client/register HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            let announced = try RawConnection(port: own.server.port)
            announced.send("\(line)Content-Length: 10737418240\r\n\r\n")
            #expect(try RawAnswer(try await announced.receiveAll()).status == 413)
            let chunked = try RawConnection(port: own.server.port)
            chunked.send("\(line)Transfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<4000 {
                // Whoever sends on and on is cut off, and may then not get to read why.
                guard chunked.send("4000\r\n\(Self.repeated("x", 0x4000))\r\n") else { break }
            }
            let end = try await chunked.receiveAll()
            #expect(end.isEmpty || end.hasPrefix("HTTP/1.1 413 "), "\(end)")
            #expect(try await own.isReady())
        }

        /// Documents that a careless XML parser expands, follows or recurses into.
        static let xmlBombs: [String] = [
            """
            <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "\(Self.repeated("x", 1000))"><!ENTITY b "\(Self.repeated("&a;", 50))">\
            <!ENTITY c "\(Self.repeated("&b;", 50))">]><rss><channel><title>&c;</title></channel></rss>
            """,
            "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\"><rss><channel><title>Demo One</title></channel></rss>",
            "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><rss><channel><title>&e;</title></channel></rss>",
            "<!DOCTYPE rss [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/\">%p;]><rss><channel><title>Demo One</title></channel></rss>",
            Self.repeated("<rss>", 1600), "<rss>" + Self.repeated("<a>", 1000) + Self.repeated("</a>", 1000) + "</rss>",
            "<rss \((0..<900).map { "a\($0)=''" }.joined(separator: " "))><channel><title>Demo One</title></channel></rss>",
            "<rss><channel><title>&#0;</title></channel></rss>", "<rss><channel><title>&x;</title></channel></rss>",
            "<rss><channel><title>Demo One</title></channel>",
            "<rss xmlns:xi='http://www.w3.org/2001/XInclude'><channel>"
                + "<title><xi:include href='file:///etc/passwd' parse='text'/></title></channel></rss>",
            "<", "<rss", "<!--", "<![CDATA[", "<?xml", "</rss>", "<rss/>", "<rss><channel><title/></channel></rss>",
        ]

        @Test("XML that expands, includes or nests without end is no resource")
        func xml() async throws {
            let box = Box(own.service)
            try await box.signIn()
            for bomb in Self.xmlBombs {
                for endpoint in ["authorize", "tokens/authz", "tokens/media"] {
                    let answer = try await box.call(endpoint, ["resource": bomb])
                    #expect(answer.status == 400, "\(endpoint) \(bomb.prefix(60)): \(answer.summary.prefix(300))")
                    #expect(!answer.text.contains("root:"), "nothing of a file of the server")
                }
            }
            #expect(try await own.isReady())
        }
    }
}
