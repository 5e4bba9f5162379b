import HTTPClient
import RealPrograms
import Testing
import WireAnswers

@Suite("Everything that lasts for a time", .serialized, .needsOwnService, .timeLimit(.minutes(5)))
struct LifetimeTests {
    /// 2027-01-01T00:00:00Z
    private static let start: Int64 = 1_798_761_600_000
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    @Test("A sign-in is over at the millisecond it says, and 410 tells that from one that never was")
    func signIn() async throws {
        try await StoppedService.with(at: Self.start) { stopped in
            let box = Box(stopped.service)
            try await box.authorize()
            let expires = try #require(Int64(try await box.call("tokens/authn").json["expires"]?.text ?? ""))
            #expect(expires == Self.start + 30 * Self.day)
            let before = Box(try stopped.at(expires - 1), id: box.id)
            #expect(try await before.call("checkauthn").status == 200)
            #expect(try await before.call("tokens/authn").status == 200)
            for moment in [expires, expires + 1, expires + 29 * Self.day] {
                let after = Box(try stopped.at(moment), id: box.id)
                let resource: KeyValuePairs = ["resource": stopped.service.profile.resource]
                try await after.call("checkauthn").expect(403, message: "Authentication token expired")
                #expect(try await after.call("tokens/authn").status == 410)
                #expect(try await after.call("tokens/authz", resource).status == 412)
                for endpoint in ["authorize", "tokens/media"] {
                    let refused = try await after.call(endpoint, resource).expect(403)
                    #expect(try refused.json["message"] == "User not authenticated")
                }
            }
        }
    }

    @Test("A decision is over after its day, while the sign-in lasts, and the media call does not renew it")
    func decision() async throws {
        try await StoppedService.with(at: Self.start) { stopped in
            let box = Box(stopped.service)
            try await box.authorize()
            let resource: KeyValuePairs = ["resource": stopped.service.profile.resource]
            let expires = try #require(Int64(try await box.call("tokens/authz", resource).json["expires"]?.text ?? ""))
            #expect(expires == Self.start + Self.day)
            let before = Box(try stopped.at(expires - 1), id: box.id)
            #expect(try await before.call("tokens/authz", resource).status == 200)
            #expect(try await before.call("tokens/media", resource).status == 200)
            let after = Box(try stopped.at(expires), id: box.id)
            try await after.call("tokens/authz", resource).expect(
                410, #"{"status":410,"message":"Gone","details":null}"#)
            try await after.call("tokens/media", resource).expect(
                403, #"{"status":403,"message":"User not authorized","details":null}"#)
            #expect(try await after.call("authorize", resource).status == 200)
            #expect(try await after.call("tokens/media", resource).status == 200)
        }
    }

    @Test func `A code is over at the millisecond it says, and then is like one that never was`() async throws {
        try await StoppedService.with(at: Self.start) { stopped in
            let box = Box(stopped.service)
            let code = try await box.createCode(["ttl": "60"])
            let path = "/reggie/v1/\(box.requestor)/regcode"
            let login = Person.loginTarget(
                code, of: stopped.service.profile, requestor: box.requestor, mvpd: stopped.service.profile.mvpd)
            let before = try stopped.at(Self.start + 59_999)
            #expect(try await before.send(.get, "\(path)/\(code)").status == 200)
            #expect(try await before.send(.get, login).status == 302)
            let after = try stopped.at(Self.start + 60_000)
            let (over, never) = try await (
                after.send(.get, "\(path)/\(code)?format=json"), after.send(.get, "\(path)/BBBBBBB?format=json")
            )
            #expect(over.status == 404 && over.text == never.text)
            #expect(try await after.send(.get, login).status == 400)
            #expect(try await after.send(.get, "/api/v1/checkauthn/\(code)?requestor=\(box.requestor)").status == 403)
        }
    }

    @Test func `A signature is good for a quarter of an hour before and after the server's time`() async throws {
        try await StoppedService.with(at: Self.start) { stopped in
            let box = Box(stopped.service)
            for (distance, status) in [
                (0, 403), (-900_000, 403), (900_000, 403), (-900_001, 401), (900_001, 401), (-Self.day, 401),
            ] as [(Int64, Int)] {
                let header = stopped.service.signature("GET", "/checkauthn", time: String(Self.start + distance))
                let answer = try await box.call("checkauthn", authorization: header)
                #expect(answer.status == status, "\(distance): \(answer.summary)")
            }
        }
    }

    @Test func `An access token lasts for six hours, and for the minute by which clocks may differ`() async throws {
        try await StoppedService.with(at: Self.start) { stopped in
            // A statement is not good before it was issued; the demo's is of the machine's present.
            let now = try stopped.at(1_900_000_000_000)
            let registration = try await Registration.make(at: now.url, now.profile.softwareStatement, now.client)
            let answer = try await registration.tokenAnswer().json
            #expect(answer["expires_in"] == 21_600 && answer["created_at"]?.number == 1_900_000_000_000)
            let token = try #require(answer["access_token"]?.text)
            for (seconds, status) in [(0, 201), (21_659, 201), (21_660, 401), (-60, 201), (-61, 401)] as [(Int64, Int)]
            {
                let service = try stopped.at(1_900_000_000_000 + seconds * 1000)
                let created = try await service.send(
                    .post, "/reggie/v1/\(DemoFolder.strictRequestor)/regcode",
                    headers: ["Authorization": "Bearer \(token)"], form: "deviceId=d")
                #expect(created.status == status, "\(seconds): \(created.summary)")
            }
        }
    }
}
