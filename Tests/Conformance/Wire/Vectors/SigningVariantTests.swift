import HTTPClient
import Testing

extension PublishedVectors {
    @Suite("What clients in the wild sign (7.4)")
    struct SigningVariantTests {
        @Test func `The file has all eight variants`() throws {
            #expect(Set(try SignedRequestVectors.load().variants.map(\.variant)) == Set(1...8))
        }

        @Test("Each is accepted on the call it is sent with, and that call is refused under another key")
        func variants() async throws {
            let box = Box(service)
            let code = try await box.signIn()
            #expect(try await box.call("authorize", ["resource": service.profile.resource]).status == 200)
            for variant in try SignedRequestVectors.load().variants {
                let name = "\(variant.variant), \(variant.kind): \(variant.signedVerb) \(variant.requestURI)"
                let method = try #require(HTTPClient.Method(rawValue: variant.method))
                let isLogout = variant.path == "/api/v1/logout"
                // Logging out of the box that the other calls need, or its trial, would take their answers away.
                let caller = isLogout || variant.path.hasSuffix("freepreview") ? Box(service) : box
                let path = variant.path.replacing("NORTHSPORT", with: service.profile.requestor)
                    .replacing("K7M2QXA", with: code)
                let uri = variant.requestURI.replacing("NORTHSPORT", with: service.profile.requestor)
                    .replacing("K7M2QXA", with: code)
                // What the free preview asks for, the other endpoints do not look at.
                let login = query([
                    "domain_name": service.profile.domain, "mso_id": service.profile.temporaryPass ?? "",
                ])
                let target = "\(path)?\(caller.parameters(["resource": service.profile.resource]))&\(login)"
                let signature = service.signature(variant.signedVerb, uri)
                let answer = try await service.send(
                    method, target, headers: ["Accept": "application/json", "Authorization": signature],
                    form: method == .post ? "" : nil)
                let expected = Self.expected(for: variant.path, service.profile)
                #expect(expected.contains(answer.status), "\(name): \(answer.summary)")
                // The same text, signed by somebody who does not have the key.
                let forged = signature.replacing(#/signature=.*/#, with: "signature=AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                let refused = try await service.send(
                    method, target, headers: ["Accept": "application/json", "Authorization": forged],
                    form: method == .post ? "" : nil)
                #expect(refused.status == 401, "\(name): \(refused.summary)")
            }
        }

        /// What the call is answered with for a box that is signed in and authorized.
        private static func expected(for path: String, _ profile: Profile) -> [Int] {
            switch path {
            case "/reggie/v1/NORTHSPORT/regcode": [201]
            case "/api/v1/logout": [204]
            // Not every provider knows anything about its viewers.
            case "/api/v1/tokens/usermetadata": [200, 404]
            case "/api/v1/authenticate/freepreview": [profile.temporaryPass == nil ? 400 : 204]
            default: [200]
            }
        }
    }
}
