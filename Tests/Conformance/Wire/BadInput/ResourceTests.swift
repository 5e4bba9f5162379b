import HTTPClient
import MediaTokenVerifier
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension BadInput {
    @Suite("Resources")
    struct ResourceTests {
        private func fragment(_ title: String, filler: String = "") -> String {
            "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>\(title)</title><item>"
                + "<title>\(filler)</title><media:rating scheme=\"urn:v-chip\">tv-pg</media:rating></item></channel></rss>"
        }

        private func fragment(bytes count: Int) -> String {
            let empty = self.fragment(service.profile.resource).utf8.count
            return self.fragment(service.profile.resource, filler: String(repeating: "a", count: count - empty))
        }

        @Test("as MRSS are the channel of their title, in CDATA, as references, and with white space behind")
        func titles() async throws {
            let box = Box(service)
            try await box.signIn()
            let channel = service.profile.resource
            let (first, rest) = (channel.prefix(1), channel.dropFirst())
            let code = String(first.unicodeScalars.first?.value ?? 0, radix: 16)
            for (resource, status) in [
                (self.fragment(channel), 200), (self.fragment("<![CDATA[\(channel)]]>"), 200),
                (self.fragment("\(first)<![CDATA[\(rest)]]>"), 200), (self.fragment("&#x\(code);\(rest)"), 200),
                (self.fragment(" \n\(channel)\t"), 200), (self.fragment(channel) + " \r\n\t", 200),
                ("<?xml version='1.0' encoding='UTF-8'?><!-- a --> \(self.fragment(channel))", 200),
                (" \(channel)\n", 200),
                (self.fragment("&amp;\(channel)"), 403), (self.fragment("<![CDATA[&#x\(code);\(rest)]]>"), 403),
                (self.fragment("<b>\(channel)</b>"), 400), ("]]>", 403), ("&", 403), ("\(channel)&amp;", 403),
                (">", 403),
                ("%41", 403), ("a,b", 403), ("\u{202E}", 403), ("", 400), (" \t\n", 400),
            ] {
                let answer = try await box.call("authorize", ["resource": resource])
                #expect(answer.status == status, "\(resource): \(answer.summary)")
                guard status == 200 else { continue }
                // As received, outer white space included: clients compare it with what they sent (rest-v1 15.1).
                #expect(try answer.json["resource"] == .text(resource))
                let document = try await box.call("tokens/authz", ["resource": resource], accept: "text/xml")
                let read = try await CanonicalXML.read([document.body])[0]
                #expect(read.children.first { $0.name == "resource" }?.text == CanonicalXML.Text(resource))
            }
        }

        @Test(
            "have at most 8192 bytes, in query and form, and get to the player unchanged",
            arguments: [
                (8191, true), (8192, true), (8193, false), (9216, false), (60_000, false),
            ])
        func lengths(count: Int, isAccepted: Bool) async throws {
            let box = Box(service)
            try await box.signIn()
            let resource = self.fragment(bytes: count)
            #expect(resource.utf8.count == count)
            let path = "/api/v1/authorize"
            let form = box.parameters(["resource": resource])
            let headers: HTTPClient.Headers = [
                "Accept": "application/json", "Authorization": service.signature("POST", path),
            ]
            let posted = try await service.send(.post, path, headers: headers, form: form)
            #expect(posted.status == (isAccepted ? 200 : 400), "\(posted.summary.prefix(300))")
            // A request line of more than 64 KB is refused before anybody looks at its parameters.
            let answer = try await box.call("authorize", ["resource": resource])
            #expect((isAccepted ? [200] : [400, 414]).contains(answer.status), "\(answer.summary.prefix(300))")
            guard isAccepted else { return }
            let play = try await box.call("tokens/media", ["resource": resource]).json
            let key = try await service.send(.get, "/.well-known/media-token-key.pem").text
            let verifier = try MediaTokenVerifier(requestor: box.requestor, trustedKeys: [key])
            let verification = verifier.verify(play["serializedToken"]?.text ?? "", resource: resource)
            #expect(verification.result == .validToken)
            #expect(verification.token?.resourceID == resource)
        }

        @Test(
            "that XML cannot carry are none, even for a viewer who may play everything",
            arguments: ["a\u{0}b", "a\u{1}b", "a\u{B}b", "a\u{1F}b", "\u{FFFE}", "a\u{FFFF}"])
        func uncarried(resource: String) async throws {
            let box = Box(service)
            try await box.signIn(atOther: true)
            for endpoint in ["authorize", "tokens/authz", "tokens/media", "preauthorize"] {
                let answer = try await box.call(endpoint, ["resource": resource])
                #expect(answer.status == 400, "\(endpoint): \(answer.summary)")
            }
        }

        @Test(arguments: [
            "a\nb", "a\rb", "a\tb", "]]>", "a<b&\"'", "\u{7F}\u{85}x", "\u{202E}x", "𝄞", "e\u{301}", "%00", "*",
        ])
        func `that XML can carry, however odd, get to the player as they are`(resource: String) async throws {
            let box = Box(service)
            try await box.signIn(atOther: true)
            let decision = try await box.call("authorize", ["resource": resource], accept: "text/xml").expect(200)
            let read = try await CanonicalXML.read([decision.body])[0]
            #expect(read.children.first { $0.name == "resource" }?.text == CanonicalXML.Text(resource))
            let play = try await box.call("tokens/media", ["resource": resource]).json
            let key = try await service.send(.get, "/.well-known/media-token-key.pem").text
            let verifier = try MediaTokenVerifier(requestor: box.requestor, trustedKeys: [key])
            let verification = verifier.verify(play["serializedToken"]?.text ?? "", resource: resource)
            #expect(verification.result == .validToken)
            #expect(verification.token?.resourceID.utf8.elementsEqual(resource.utf8) == true)
        }

        @Test func `may stand in a signed URL of 16 KiB`() async throws {
            let box = Box(service)
            try await box.signIn()
            let resource = self.fragment(bytes: 8192)
            let target = "/api/v1/authorize?\(box.parameters(["resource": resource]))"
            let padding = String(repeating: "p", count: max(0, 16_000 - target.utf8.count))
            let signature = service.signature("GET", "\(service.url)\(target)&padding=\(padding)")
            #expect(signature.utf8.count > 16_000 && signature.utf8.count < 16_700)
            let answer = try await service.send(
                .get, target, headers: ["Authorization": signature, "Accept": "application/json"])
            #expect(answer.status == 200, "\(answer.summary.prefix(300))")
        }
    }
}
