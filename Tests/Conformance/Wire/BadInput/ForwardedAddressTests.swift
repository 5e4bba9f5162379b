import HTTPClient
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension BadInput {
    @Suite("An address the caller made up")
    struct ForwardedAddressTests {
        /// Fields in which proxies write where a request came from.
        private static func fields(_ number: Int) -> HTTPClient.Headers {
            let address = "198.51.100.\(number % 250 + 1)"
            return [
                // Alone, and as a proxy of the caller's would add to it.
                "X-Forwarded-For": number % 2 == 0 ? address : "\(address), 10.0.0.1",
                "Forwarded": "for=\(address)", "X-Real-IP": address, "True-Client-IP": address,
                "CF-Connecting-IP": address, "X-Client-IP": address,
            ]
        }

        @Test func `does not get around the throttle`() async throws {
            let throttled = try #require(service.profile.throttled)
            let box = Box(Service(url: throttled.url, profile: service.profile, client: service.client))
            var statuses: [Int] = []
            for number in 0...throttled.burst + 3 {
                var headers = Self.fields(number)
                headers["Authorization"] = box.service.signature("GET", "/checkauthn")
                statuses.append(
                    try await box.service.send(.get, "/api/v1/checkauthn?\(box.parameters())", headers: headers).status)
            }
            #expect(statuses == Array(repeating: 403, count: throttled.burst + 1) + [429, 429, 429])
        }

        @Test("is believed of a programmer's server, so that each of its boxes has an allowance of its own")
        func believed() async throws {
            let throttled = try #require(service.profile.throttled)
            var profile = service.profile
            profile.keyPair = try #require(profile.serverKeyPair)
            let box = Box(Service(url: throttled.url, profile: profile, client: service.client))
            func status(from address: String) async throws -> Int {
                let headers: HTTPClient.Headers = [
                    "X-Forwarded-For": address, "Authorization": box.service.signature("GET", "/checkauthn"),
                ]
                return try await box.service.send(
                    .get, "/api/v1/checkauthn?\(box.parameters())", headers: headers
                ).status
            }
            for _ in 0...throttled.burst { #expect(try await status(from: "203.0.113.7") == 403) }
            #expect(try await status(from: "203.0.113.7") == 429)
            #expect(try await status(from: "203.0.113.8") == 403)
            // The leftmost public address counts (24.3).
            #expect(try await status(from: "10.1.2.3, 203.0.113.7, 192.168.0.1") == 429)
        }

        @Test func `does not get around the limit on guessing, which closes nobody's own box`() async throws {
            let folder = try TemporaryFolder()
            let demo = try await DemoFolder.make(.own, in: folder.file("server"))
            let server = try await RunningServer.start(demo, .own)
            let client = HTTPClient()
            func send(_ method: HTTPClient.Method, _ path: String, _ number: Int, signed: Bool = false) async throws
                -> HTTPClient.Response
            {
                var request = HTTPClient.Request(method, server.url + path, headers: Self.fields(number))
                request.headers["Accept"] = "application/json"
                if signed {
                    request.headers["Authorization"] = demo.authorization(
                        method.rawValue, "/regcode", requestor: DemoFolder.compatibleRequestor, nonce: "n\(number)")
                }
                return try await client.send(request)
            }
            let base = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
            let created = try await send(.post, "\(base)?deviceId=d", 0, signed: true)
            let code = try #require(try created.json["code"]?.text)
            #expect(try await send(.get, "\(base)/\(code)", 1).status == 200)
            let digits = Array("BCDFGHJKLMNPQRSTVWXZ")
            var statuses: [Int] = []
            for number in 0..<22 {
                let guess = "BBBBB\(digits[number / 20])\(digits[number % 20])"
                statuses.append(try await send(.get, "\(base)/\(guess)", number + 2).status)
            }
            #expect(statuses == Array(repeating: 404, count: 20) + [429, 429])
            let closed = try await send(.get, "\(base)/BBBBBDB", 98).expect(429)
            #expect((closed.headers["Retry-After"].flatMap { Int($0) } ?? 0) > 0)
            // The code of a box in the caller's own network is looked up whatever else was tried.
            #expect(try await send(.get, "\(base)/\(code)", 99).status == 200)
            await client.shutDown()
            #expect(await server.stop() == .exited(0))
        }

        @Test(.enabled(if: !RunningService.hasNodes, "nginx says where a caller is, whatever it claims"))
        func `opens no page that is for this machine alone`() async throws {
            #expect(try await service.send(.get, "/metrics").status == 200)
            for value in ["127.0.0.1", "::1", "10.0.0.1, 127.0.0.1"] {
                #expect(try await service.send(.get, "/metrics", headers: ["X-Forwarded-For": value]).status == 404)
            }
        }
    }
}
