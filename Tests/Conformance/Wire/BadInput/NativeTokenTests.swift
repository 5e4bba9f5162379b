import Clientless
import Cryptography
import HTTPClient
import MediaTokenVerifier
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension BadInput {
    @Suite("Token documents that are presented")
    struct NativeTokenTests {
        private func call(
            _ endpoint: String, device: String, _ form: KeyValuePairs<String, String>, service: Service = service
        ) async throws -> HTTPClient.Response {
            let path = "/adobe-services/\(endpoint)"
            return try await service.send(
                .post, path, headers: ["Authorization": service.signature("POST", path), "ap_21": device],
                form: "\(query(["requestor_id": service.profile.requestor]))&\(query(form))")
        }

        /// Signs a box in.
        /// - Returns: its AuthN document.
        private func signIn(_ box: Box) async throws -> String {
            let code = try await box.signIn()
            let answer = try await self.call("session", device: box.id, ["reg_code": code], service: box.service)
            return try Self.token("authnToken", in: answer)
        }

        private func authorize(
            _ box: Box, _ document: String, device: String? = nil, service: Service? = nil
        ) async throws -> HTTPClient.Response {
            try await self.call(
                "authorize", device: device ?? box.id,
                [
                    "authentication_token": document, "resource_id": box.service.profile.resource,
                    "mso_id": box.service.profile.mvpd,
                ], service: service ?? box.service)
        }

        private static func token(_ name: String, in answer: HTTPClient.Response) throws -> String {
            guard answer.status == 200, let escaped = answer.element(name) else {
                throw GaveUp(description: "no \(name): \(answer.summary)")
            }
            return escaped.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }

        @Test func `lead from a sign-in to a media token that verifies, each document on one line`() async throws {
            let box = Box(service)
            let signIn = try await self.signIn(box)
            #expect(signIn.hasPrefix("<signatureInfo>") && !signIn.contains("\n"))
            let decision = try Self.token("authzToken", in: try await self.authorize(box, signIn))
            let guid = HTTPClient.Response(status: 200, body: Array(signIn.utf8)).element(
                "simpleTokenAuthenticationGuid")
            let media = try await self.call(
                "shortAuthorize", device: box.id,
                ["authz_token": decision, "session_guid": guid ?? "", "hashed_guid": "false"]
            ).expect(200)
            let key = try await service.send(.get, "/.well-known/media-token-key.pem").text
            let verifier = try MediaTokenVerifier(requestor: box.requestor, trustedKeys: [key])
            #expect(verifier.verify(media.text, resource: service.profile.resource).result == .validToken)
        }

        @Test func `and were changed anywhere are refused with one and the same answer`() async throws {
            let box = Box(service)
            let document = try await self.signIn(box)
            let decision = try Self.token("authzToken", in: try await self.authorize(box, document))
            var random = SeededGenerator(seed: 53)
            var answers: Set<String> = []
            let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
            for round in 0..<120 {
                let original = round.isMultiple(of: 2) ? document : decision
                var bytes = Array(original.utf8)
                // Letters only, so that nothing but what is said changes.
                var place = Int.random(in: 0..<bytes.count, using: &random)
                while !letters.contains(bytes[place]) { place = Int.random(in: 0..<bytes.count, using: &random) }
                let other = letters.filter { $0 != bytes[place] }
                bytes[place] = other[Int.random(in: 0..<other.count, using: &random)]
                let changed = String(decoding: bytes, as: UTF8.self)
                // The last letter of Base 64 has bits that mean nothing.
                if let old = try? SignedTokenDocument(parsing: original),
                    let new = try? SignedTokenDocument(parsing: changed), old.signature == new.signature,
                    old.element == new.element
                {
                    continue
                }
                let answer =
                    round.isMultiple(of: 2)
                    ? try await self.authorize(box, changed)
                    : try await self.call(
                        "shortAuthorize", device: box.id,
                        ["authz_token": changed, "session_guid": "x", "hashed_guid": "false"])
                #expect(answer.status == 401, "byte \(place) of \(changed): \(answer.summary)")
                answers.insert(answer.text)
            }
            #expect(answers.count == 1 && answers.first?.contains("<code>N130</code>") == true, "\(answers)")
        }

        @Test func `and were mutated at random are never more than refused`() async throws {
            let box = Box(service)
            let document = try await self.signIn(box)
            let element = try SignedTokenDocument(parsing: document).element
            for changed in Mutations(of: [document], count: 150, seed: 59) {
                for (endpoint, extra) in [("authorize", "r"), ("preauthorize", "r"), ("usermetadata", "")] {
                    let answer = try await self.call(
                        endpoint, device: box.id,
                        ["authentication_token": changed, "resource_id": extra, "mso_id": service.profile.mvpd])
                    // White space around the signature is read over; what was signed is then still what it was.
                    let isSame = changed.contains(element)
                    let isRefused = [400, 401].contains(answer.status)
                    #expect(isRefused || isSame && answer.status == 200, "\(changed): \(answer.summary)")
                }
            }
        }

        @Test("but belong to another device, or were signed by somebody else, are refused, and it is said which")
        func foreign() async throws {
            let box = Box(service)
            let document = try await self.signIn(box)
            let stolen = try await self.authorize(box, document, device: "another-device").expect(401)
            #expect(stolen.element("code") == "SEC412", "\(stolen.summary)")
            let element = try SignedTokenDocument(parsing: document).element
            for forged in [
                try SignedTokenDocument(element: element, signedBy: try RSAPrivateKey.generate()).text,
                try SignedTokenDocument(element: element, signedBy: try ECPrivateKey.generate()).text, element,
                "<signatureInfo></signatureInfo>\(element)", "<signatureInfo>AAAA</signatureInfo>\(element)", "x",
                try MediaTokenVector.load().document(), document + element, element + document,
            ] {
                let answer = try await self.authorize(box, forged).expect(401)
                #expect(answer.element("code") == "N130", "\(answer.summary)")
            }
            // Genuine, but of the other kind.
            let decision = try Self.token("authzToken", in: try await self.authorize(box, document))
            #expect(try await self.authorize(box, decision).status == 401)
            try await self.call(
                "shortAuthorize", device: box.id,
                ["authz_token": document, "session_guid": "x", "hashed_guid": "false"]
            ).expect(401)
        }

        @Test(
            "cannot name what XML cannot carry, even for a viewer who may play everything",
            arguments: ["a\u{0}b", "a\u{1}b", "\u{FFFF}"])
        func uncarried(resource: String) async throws {
            let box = Box(service)
            let code = try await box.signIn(atOther: true)
            let picked = try await self.call("session", device: box.id, ["reg_code": code])
            let document = try Self.token("authnToken", in: picked)
            for endpoint in ["authorize", "preauthorize"] {
                let answer = try await self.call(
                    endpoint, device: box.id,
                    [
                        "authentication_token": document, "resource_id": resource,
                        "mso_id": service.profile.otherMVPD,
                    ])
                #expect(answer.status == 400, "\(endpoint): \(answer.summary)")
            }
        }

        @Test func `after a logout are answered with pendingLogout`() async throws {
            let box = Box(service)
            let document = try await self.signIn(box)
            #expect(try await box.call("logout", method: .delete).status == 204)
            let answer = try await self.authorize(box, document).expect(200)
            #expect(answer.text.hasSuffix("<pendingLogout/>"), "\(answer.summary)")
        }

        @Test func `are good for the last second they name, and not for the next`() async throws {
            let start: Int64 = 1_798_761_600_000
            try await StoppedService.with(at: start) { stopped in
                let box = Box(stopped.service)
                let document = try await self.signIn(box)
                let expires = start + 30 * 86_400_000
                let before = try stopped.at(expires - 1000)
                #expect(try await self.authorize(box, document, service: before).element("authzToken") != nil)
                let after = try stopped.at(expires)
                try await self.authorize(box, document, service: after).expect(410)
            }
        }
    }
}
