import Cryptography
import FoundationEssentials
import HTTPClient
import MediaTokenVerifier
import RealPrograms
import Testing
import WireAnswers

extension Checklist {
    @Suite("Media tokens")
    struct MediaTokenItems {
        @Test("18. The media token of the service verifies with the shipped verifier and the key the service publishes")
        func live() async throws {
            let profile = service.profile
            let box = Box(service)
            try await box.authorize()
            let key = try await service.send(.get, "/.well-known/media-token-key.pem").expect(200)
            let verifier = try MediaTokenVerifier(requestor: profile.requestor, trustedKeys: [key.text])
            let user = try await box.call("tokens/authn").json["userId"]?.text
            for endpoint in ["tokens/media", "mediatoken"] {
                let play = try await box.call(endpoint, ["resource": profile.resource]).json
                let text = try #require(play["serializedToken"]?.text)
                #expect(text.hasPrefix("PHNpZ25hdHVyZUluZm8+"))
                let now = Date(timeIntervalSince1970: Double(service.now) / 1000)
                let verification = verifier.verify(text, resource: profile.resource, at: now)
                #expect(verification.result == .validToken)
                let token = try #require(verification.token)
                #expect(token.resourceID == profile.resource && token.mvpdID == profile.mvpd)
                #expect(token.sessionGUID == user && play["userId"]?.text == user)
                #expect(play["mvpdId"] == .text(profile.mvpd) && play["requestor"] == .text(profile.requestor))
                let expires = try #require(play["expires"]?.text.flatMap { Double($0) })
                // The document counts in whole seconds, the answer in milliseconds.
                #expect(abs(token.expirationTime.timeIntervalSince1970 - expires / 1000) < 1)
                #expect(verifier.verify(text, resource: "Other", at: now).result == .invalidResourceID)
                #expect(verifier.verify(text, at: token.expirationTime).result == .tokenExpired)
            }
        }

        @Test func `18. The vector of 22.5 gives the four listed results`() throws {
            let vector = try MediaTokenVector.load()
            let verifier = try MediaTokenVerifier(requestor: vector.requestor, trustedKeys: [vector.publicKey])
            #expect(vector.checks.map(\.result) == ["VALID_TOKEN", "TOKEN_EXPIRED", "INVALID_RESOURCE_ID"])
            for check in vector.checks {
                let at = try Date(check.at, strategy: .iso8601)
                for token in [vector.document(), Base64.encode(Array(vector.document().utf8))] {
                    #expect(verifier.verify(token, resource: check.resource, at: at).result.rawValue == check.result)
                }
            }
            // Any byte of the element: a letter of each word that is not markup, so that it stays a document.
            let at = try Date(vector.checks[0].at, strategy: .iso8601)
            for (part, changed) in [
                ("8b4e2f", "8b4e2e"), ("North Sport", "North sport"), ("420000", "420001"), ("00:00:00", "00:00:01"),
                ("CableNova", "CableNovb"), ("<proxyMvpdId></", "<proxyMvpdId>x</"),
            ] {
                let token = vector.document(of: vector.element.replacing(part, with: changed))
                #expect(verifier.verify(token, at: at).result.rawValue == vector.changedElement, "\(changed)")
            }
        }
    }
}
