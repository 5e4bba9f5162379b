import Cryptography
import HTTPClient
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension PublishedVectors {
    @Suite("Free previews (20.3)", .needsOwnService)
    struct TrialVectorTests {
        struct Vector: Sendable, Decodable {
            let identifier, sha256, key: String
            let forms: [String]
        }

        /// Starts a trial, the person named or not.
        private func start(
            _ box: Box, at provider: String, genericData: String? = nil
        ) async throws -> HTTPClient.Response {
            let path = "/api/v1/authenticate/freepreview"
            var form = query([
                "requestor_id": box.requestor, "deviceId": box.id, "mso_id": provider,
                "domain_name": service.profile.domain,
            ])
            if let genericData { form += "&\(query(["generic_data": genericData]))" }
            return try await service.send(
                .post, path, headers: ["Authorization": service.signature("POST", path)], form: form)
        }

        @Test func `The printed hash is that of the printed address`() throws {
            let vector = try Vectors.load("generic-data", as: Vector.self)
            #expect(Hex.encode(Digest.sha256(vector.identifier.utf8)) == vector.sha256)
            #expect(vector.forms.count == 2 && vector.forms.allSatisfy { $0.contains(vector.sha256) })
        }

        @Test func `The printed person has one trial, on whatever box, in braces or in parentheses`() async throws {
            let vector = try Vectors.load("generic-data", as: Vector.self)
            let provider = OwnService.promotionalPass
            var remaining: [String] = []
            for (index, form) in (vector.forms + vector.forms).enumerated() {
                let box = Box(service)
                #expect(try await self.start(box, at: provider, genericData: form).status == 204)
                let decision = try await box.call("authorize", ["resource": "Preview \(index)", "generic_data": form])
                #expect(decision.status == (index < 3 ? 200 : 403), "\(index): \(decision.summary)")
                let data = try await box.call("tokens/usermetadata").json["data"]
                remaining.append(data?["remaining_resources"]?.text ?? "")
                let used = (0...min(index, 2)).map { JSON.text("Preview \($0)") }
                #expect(Set(data?["used_assets"]?.list ?? []) == Set(used), "\(String(describing: data))")
            }
            // Three channels in all, although every box is another.
            #expect(remaining == ["2", "1", "0", "0"])
            let other = Box(service)
            let person = vector.forms[0].replacing(vector.sha256, with: String(repeating: "0", count: 64))
            #expect(try await self.start(other, at: provider, genericData: person).status == 204)
            let decision = try await other.call("authorize", ["resource": "Preview 9", "generic_data": person])
            #expect(decision.status == 200, "somebody else has a trial of their own: \(decision.summary)")
        }

        @Test(arguments: [
            nil, "", "{}", "()", "{\"email\":\"\"}", "{\"email\":1}", "{\"mail\":\"x\"}", "[\"email\"]", "email",
            "{",
            "\u{0}", "{\"email\":{\"email\":\"x\"}}", "((\"email\":\"x\"))",
        ])
        func `What names no person starts no promotional trial`(genericData: String?) async throws {
            let box = Box(service)
            try await self.start(box, at: OwnService.promotionalPass, genericData: genericData).expect(400)
            #expect(try await box.call("checkauthn").status == 403)
        }

        @Test func `A basic trial asks for no account, and authenticate starts it, too`() async throws {
            let pass = try #require(service.profile.temporaryPass)
            let box = Box(service)
            #expect(try await self.start(box, at: pass).status == 204)
            #expect(try await box.call("checkauthn").status == 200)
            #expect(try await box.call("tokens/authn").json["mvpd"] == .text(pass))
            let other = Box(service)
            let code = try await other.createCode()
            // No account is asked for, but whether this is the viewer's box: a bare GET starts nothing.
            let target = Person.loginTarget(code, of: service.profile, requestor: other.requestor, mvpd: pass)
            #expect(try await service.send(.get, target).status == 302)
            #expect(try await other.call("authorize", ["resource": "Anything"]).status == 403)
            try await Person(service).signIn(code, requestor: other.requestor, mvpd: pass)
            #expect(try await other.call("authorize", ["resource": "Anything"]).status == 200)
            #expect(try await self.start(box, at: service.profile.mvpd).status == 400, "this is no trial")
        }
    }
}
