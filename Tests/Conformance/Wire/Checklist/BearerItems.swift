import HTTPClient
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension Checklist {
    @Suite("Registered applications")
    struct BearerItems {
        private func register(_ statement: String) async throws -> Registration {
            try await Registration.make(at: service.url, statement, service.client)
        }

        private func creation(
            query extra: String = "", headers: HTTPClient.Headers = [:]
        ) async throws -> HTTPClient.Response {
            var headers = headers
            headers["Accept"] = "application/json"
            return try await service.send(
                .post, "/reggie/v1/\(service.profile.requestor)/regcode?deviceId=bearer\(extra)", headers: headers,
                form: "")
        }

        @Test func `16. Register, token, regcode with bearer`() async throws {
            let registration = try await self.register(service.profile.softwareStatement)
            let token = try await registration.accessToken()
            #expect(token.split(separator: ".").count == 3)
            for scheme in ["Bearer", "bearer"] {
                let answer = try await self.creation(headers: ["Authorization": "\(scheme) \(token)"]).expect(201)
                #expect(try answer.json["info"]?["authorizationType"] == "OAUTH2")
            }
        }

        @Test("16. The token call takes its parameters from the query, and calls take the token from there")
        func inTheQuery() async throws {
            let registration = try await self.register(service.profile.softwareStatement)
            let answer = try await registration.tokenAnswer(inQuery: true).expect(201)
            let token = try #require(try answer.json["access_token"]?.text)
            #expect(try answer.json["token_type"] == "bearer")
            #expect(try answer.json["expires_in"]?.number ?? 0 > 3600)
            #expect(try await self.creation(query: "&access_token=\(token)").status == 201)
            #expect(try await self.creation().status == 401)
        }

        @Test(.needsExpiredAccessToken) func `16. An expired token is 401`() async throws {
            let token = try #require(service.profile.expiredAccessToken)
            try await self.creation(headers: ["Authorization": "Bearer \(token)"]).expect(
                401, message: "Unauthorized", error: "access_denied",
                headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
        }

        @Test(.needsRevocableApplication) func `16. A revoked application is 403`() async throws {
            let revocable = try #require(service.profile.revocable)
            let registration = try await self.register(revocable.softwareStatement)
            let token = try await registration.accessToken()
            #expect(try await self.creation(headers: ["Authorization": "Bearer \(token)"]).status == 201)
            let command = try ChildProcess(revocable.command[0], Array(revocable.command.dropFirst()))
            let (end, _, talk) = await command.run()
            try #require(end == .exited(0), "\(talk)")
            // The service hears of it from its store.
            let answer = try await eventually("refusal") {
                let answer = try await self.creation(headers: ["Authorization": "Bearer \(token)"])
                return answer.status == 201 ? nil : answer
            }
            #expect(answer.status == 403)
            #expect(try answer.json["error"] == "invalid_client")
            // Of several nodes, another one may hear of it a moment later.
            let again = try await eventually("refusal of a new token") {
                let again = try await registration.tokenAnswer()
                return again.status == 201 ? nil : again
            }
            #expect(again.status == 400)
            #expect(try again.json["error"] == "invalid_client")
        }
    }
}
