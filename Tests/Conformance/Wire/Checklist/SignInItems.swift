import HTTPClient
import RealPrograms
import Testing
import WireAnswers

extension Checklist {
    @Suite("A sign-in from beginning to end")
    struct SignInItems {
        private let box = Box(service)

        /// The statuses of everything a box, or its page, can ask about itself.
        private func statuses(_ box: Box, code: String) async throws -> [String: Int] {
            var statuses: [String: Int] = [:]
            for endpoint in ["checkauthn", "tokens/authn", "tokens/authz", "tokens/media", "tokens/usermetadata"] {
                let answer = try await box.call(endpoint, ["resource": service.profile.resource])
                statuses[endpoint] = answer.status
            }
            statuses["authenticate/{code}"] = try await box.call("authenticate/\(code)").status
            // The page has no credentials.
            let page = try await service.send(
                .get, "/api/v1/checkauthn/\(code)?\(query(["requestor": box.requestor]))")
            statuses["checkauthn/{code}"] = page.status
            return statuses
        }

        @Test func `8. Before login every question has its own no`() async throws {
            let code = try await self.box.createCode()
            let expected = [
                "checkauthn": 403, "tokens/authn": 404, "tokens/authz": 412, "tokens/media": 403,
                "tokens/usermetadata": 412, "authenticate/{code}": 404, "checkauthn/{code}": 403,
            ]
            #expect(try await self.statuses(self.box, code: code) == expected)
        }

        @Test("9. After login they are answered, and after authorize the decision and the media token are there")
        func after() async throws {
            let code = try await self.box.signIn()
            var statuses = try await self.statuses(self.box, code: code)
            let metadata = statuses.removeValue(forKey: "tokens/usermetadata")
            #expect(metadata == 200 || metadata == 404)
            let expected = [
                "checkauthn": 200, "tokens/authn": 200, "tokens/authz": 404, "tokens/media": 403,
                "authenticate/{code}": 200, "checkauthn/{code}": 200,
            ]
            #expect(statuses == expected)
            try await self.box.call("authorize", ["resource": service.profile.resource]).expect(200)
            statuses = try await self.statuses(self.box, code: code)
            #expect(statuses["tokens/authz"] == 200 && statuses["tokens/media"] == 200)
        }

        @Test(
            "10. After the sign-in is over checkauthn says expired, tokens/authn 410 and tokens/authz 412",
            .needsBriefSignIns)
        func over() async throws {
            let brief = try #require(service.profile.brief)
            let box = Box(service, requestor: brief.requestor)
            try await box.signIn()
            // Every sign-in is over in the end; how long that takes is the service's matter.
            let answer = try await eventually("expiry", within: .seconds(brief.lifetime + 30)) {
                let answer = try await box.call("checkauthn")
                return answer.status == 200 ? nil : answer
            }
            #expect(answer.status == 403)
            #expect(answer.text == #"{"status":403,"message":"Authentication token expired"}"#)
            try await box.call("tokens/authn").expect(410, message: "Gone")
            try await box.call("tokens/authz", ["resource": service.profile.resource]).expect(
                412, #"{"status":412,"message":"User not authenticated","details":null}"#)
        }

        @Test func `11. expires of every token is a text of digits, and status of every error a number`() async throws {
            try await self.box.authorize()
            for endpoint in ["tokens/authn", "authorize", "tokens/authz", "tokens/media", "mediatoken"] {
                let answer = try await self.box.call(endpoint, ["resource": service.profile.resource])
                #expect(answer.status == 200, "\(endpoint): \(answer.summary)")
                #expect(try answer.json["expires"]?.isTextOfDigits == true, "\(endpoint): \(answer.summary)")
            }
            let stranger = Box(service)
            for endpoint in [
                "checkauthn", "tokens/authn", "authorize", "tokens/authz", "tokens/media", "tokens/usermetadata",
                "preauthorize", "authenticate/BBBBBBB", "checkauthn/BBBBBBB",
            ] {
                let answer = try await stranger.call(endpoint, ["resource": service.profile.resource])
                #expect(answer.status >= 400)
                #expect(try answer.json["status"]?.number == Double(answer.status), "\(endpoint): \(answer.summary)")
            }
        }

        @Test("12. A second login on the same device replaces the first, and authorize asks the new provider")
        func replacement() async throws {
            let profile = service.profile
            try await self.box.authorize()
            #expect(try await self.box.call("tokens/authn").json["mvpd"] == .text(profile.mvpd))
            try await self.box.call("authorize", ["resource": profile.otherResource]).expect(403)
            try await self.box.signIn(atOther: true)
            #expect(try await self.box.call("tokens/authn").json["mvpd"] == .text(profile.otherMVPD))
            let stored = try await self.box.call("tokens/authz", ["resource": profile.resource])
            #expect(stored.status == 404, "the first provider's decision is gone: \(stored.summary)")
            for resource in [profile.otherResource, profile.resource] {
                let decision = try await self.box.call("authorize", ["resource": resource]).expect(200)
                #expect(try decision.json["mvpd"] == .text(profile.otherMVPD))
            }
        }
    }
}
