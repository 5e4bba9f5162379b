import Cryptography
import HTTPClient
import RealPrograms
import Testing
import WireAnswers

extension Checklist {
    @Suite("Signed calls")
    struct SigningItems {
        @Test("4. All three vectors of 7.7 verify", arguments: try SignedRequestVectors.load().vectors)
        func vectors(_ vector: SignedRequestVectors.Vector) throws {
            let file = try SignedRequestVectors.load()
            let code = HMACKey(Secret(file.privateKey), hash: .sha1).authenticationCode(for: vector.signedText.utf8)
            #expect(Base64.encode(code) == vector.signature)
            #expect(
                vector.header == "\(vector.signedText), public_key=\(file.publicKey), signature=\(vector.signature)")
        }

        @Test func `4. A request_time of 10 digits is 401, and one of 13 is not`() async throws {
            let box = Box(service)
            let uri = "/api/v1/checkauthn"
            let time = String(service.now)
            try await box.call(
                "checkauthn", authorization: service.signature("GET", uri, time: String(time.prefix(10)))
            ).expect(401, message: "Not Authorized")
            let taken = try await box.call("checkauthn", authorization: service.signature("GET", uri, time: time))
            #expect(taken.status == 403, "a box that is not signed in, but known: \(taken.summary)")
        }

        @Test("5. One header signed as POST /regcode is accepted on six later calls of other endpoints")
        func reusedHeader() async throws {
            let box = Box(service)
            let header = service.signature("POST", "/regcode")
            let created = try await service.send(
                .post, "/reggie/v1/\(service.profile.requestor)/regcode.json",
                headers: ["Authorization": header], form: query(["deviceId": box.id]))
            let code = try #require(try created.json["code"]?.text, "\(created.summary)")
            try await Person(service).signIn(code, requestor: box.requestor)
            for (endpoint, statuses) in [
                ("checkauthn.json", [200]), ("tokens/authn.json", [200]), ("authorize.json", [200]),
                ("tokens/authz.json", [200]), ("tokens/media.json", [200]), ("tokens/usermetadata.json", [200, 404]),
            ] {
                let answer = try await box.call(
                    endpoint, ["resource": service.profile.resource], accept: "*/*", authorization: header)
                #expect(statuses.contains(answer.status), "\(endpoint): \(answer.summary)")
            }
        }

        @Test func `6. checkauthn without requestor works with a signed header`() async throws {
            let box = Box(service)
            try await box.signIn()
            for (device, status) in [(box.id, 200), ("nobody", 403)] {
                try await service.send(
                    .get, "/api/v1/checkauthn?\(query(["deviceId": device, "format": "json"]))",
                    headers: ["Authorization": service.signature("GET", "/checkauthn")]
                ).expect(status)
            }
        }

        @Test func `7. DELETE logout.json signed with GET, without requestor, is 204, twice`() async throws {
            let box = Box(service)
            try await box.signIn()
            for _ in 1...2 {
                let answer = try await service.send(
                    .delete, "/api/v1/logout.json?\(query(["deviceId": box.id]))",
                    headers: ["Authorization": service.signature("GET", "/logout")]
                ).expect(204)
                #expect(answer.body.isEmpty && answer.headers["Content-Type"] == nil)
            }
            #expect(try await box.call("tokens/authn").status == 404)
        }
    }
}
