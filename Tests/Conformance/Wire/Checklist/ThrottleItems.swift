import HTTPClient
import Testing

extension Checklist {
    @Suite("The throttle", .needsThrottle)
    struct ThrottleItems {
        let service: Service
        let burst: Int
        let interval: Double

        init() throws {
            let service = ConformanceWireTests.service
            let throttled = try #require(service.profile.throttled)
            self.service = Service(url: throttled.url, profile: service.profile, client: service.client)
            (self.burst, self.interval) = (throttled.burst, throttled.interval)
        }

        @Test("17. The first call passes, the burst passes, and the surplus call after that gets 429")
        func burstIsLimited() async throws {
            let box = Box(self.service)
            let start = ContinuousClock.now
            var passed = 0
            // A call that a slow machine earns in between passes, too; more than that must not.
            while passed < 10 * self.burst {
                let answer = try await box.call("checkauthn")
                if answer.status == 429 { break }
                #expect(answer.status == 403)
                passed += 1
            }
            let earned = Int((ContinuousClock.now - start) / .seconds(self.interval))
            #expect((1 + self.burst...1 + self.burst + earned).contains(passed), "\(passed) calls, \(earned) earned")
            #expect(try await Box(self.service).call("checkauthn").status == 403, "another box is not held up")
        }

        @Test(
            "17. 429 is text/html when nothing was asked for, else in the form asked for, and says when to come again")
        func refusal() async throws {
            let box = Box(self.service)
            let path = "/api/v1/tokens/authn"
            let forms: [(HTTPClient.Headers, String, String)] = [
                ([:], "", "text/html"), (["Accept": "*/*"], "", "text/html"),
                (["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], "", "text/html"),
                (["Accept": "application/json"], "", "application/json"), ([:], "&format=json", "application/json"),
                ([:], "&format=xml", "application/xml"), (["Origin": "https://page.invalid"], "", "text/html"),
            ]
            for (headers, parameter, type) in forms {
                var headers = headers
                headers["Authorization"] = self.service.signature("GET", path)
                let target = "\(path)?\(box.parameters())\(parameter)"
                var answer = try await self.service.send(.get, target, headers: headers)
                // The burst before the first refusal, and later what a slow machine has earned since the last one.
                for _ in 0..<10 * self.burst where answer.status != 429 {
                    answer = try await self.service.send(.get, target, headers: headers)
                }
                #expect(answer.status == 429, "\(answer.summary)")
                #expect(answer.headers["Content-Type"]?.hasPrefix(type) == true, "\(answer.summary)")
                #expect(answer.headers["Retry-After"].flatMap { Int($0) } ?? 0 >= 1)
                if let origin = headers["Origin"] {
                    #expect(answer.headers["Access-Control-Allow-Origin"] == origin)
                }
            }
        }

        @Test func `17. OPTIONS and authenticate are not throttled`() async throws {
            let box = Box(self.service)
            for _ in 0...self.burst + 1 {
                let path = "/api/v1/tokens/authn?\(box.parameters())"
                #expect(try await self.service.send(.options, path).status == 204)
                #expect(try await self.service.send(.get, "/api/v1/authenticate?\(box.parameters())").status == 400)
            }
        }
    }
}
