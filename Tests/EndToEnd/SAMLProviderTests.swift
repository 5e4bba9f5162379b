import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real programs and a real TV provider, Debian's simplesamlphp", .serialized, .timeLimit(.minutes(5)))
struct SAMLProviderTests {
    private static let id = RunningSAMLProvider.id

    @Test("From the QR code over the provider's pages to a signed-in box, and out again at the provider")
    func wholeLife() async throws {
        try await Pair.with(RunningSAMLProvider.self) { pair, provider in
            let checked = try await ChildProcess(
                ProgramFolder.own.server, ["provider", "check", Self.id, "--config", pair.demo.serverConfiguration]
            ).run()
            #expect(checked.0 == .exited(0), "\(checked.1)\(checked.2)")
            #expect((checked.1 + checked.2).contains("\(pair.demo.url)/sp/metadata/\(Self.id)"))

            let box = try pair.startPairing()
            let phone = Phone()
            let away = try await phone.walkToProvider(from: try await box.code().url, as: RunningSAMLProvider.viewer)
            #expect(away.hasPrefix("\(provider.url)/saml2/idp/SSOService.php?SAMLRequest="))
            let answer = try await provider.answer(on: phone, from: away)
            let question = try await provider.deliver(answer, on: phone)
            #expect(question.isConfirmation, "\(question.summary)")
            _ = try await phone.decide(.confirm, on: question)
            try await box.end(with: 0)
            // The answer counts once.
            #expect(try await !provider.deliver(answer, on: Phone()).isConfirmation)

            #expect(try await pair.box("authorize", "NS-KIDS").end == .exited(0))
            #expect(try await pair.box("authorize", "NS-MOVIES").end == .exited(3))
            // The provider tells our server by the viewer's browser, which then ends on the provider's own page.
            let gone = try await provider.signOut(phone)
            #expect(gone.url.hasPrefix(provider.url), "\(gone.url): \(gone.summary)")
            #expect(try await pair.box("authorize", "NS-KIDS").end != .exited(0))
            #expect(try await pair.box("status").end == .exited(2))
        }
    }

    @Test("A viewer who declines the box stays signed out, and one whom the provider refuses may try as another")
    func declined() async throws {
        try await Pair.with(RunningSAMLProvider.self) { pair, provider in
            let box = try pair.startPairing()
            let code = try await box.code()
            let stranger = Phone()
            let away = try await stranger.walkToProvider(from: code.url, as: RunningSAMLProvider.viewer)
            let refused = try await provider.deliver(
                try await provider.answer(on: stranger, from: away, as: RunningSAMLProvider.refused), on: stranger)
            #expect(refused.status == 403, "\(refused.summary)")
            let phone = Phone()
            let question = try await provider.deliver(
                try await provider.answer(
                    on: phone, from: try await phone.walkToProvider(from: code.url, as: RunningSAMLProvider.viewer)),
                on: phone)
            _ = try await phone.decide(.decline, on: question)
            #expect(await box.end() != .exited(0))
            #expect(try await pair.box("status").end == .exited(2))
        }
    }

    @Test func `A logout of the box ends the viewer's session at the provider, in the viewer's browser`() async throws {
        try await Pair.with(RunningSAMLProvider.self) { pair, provider in
            let box = ClassicBox(demo: pair.demo)
            let code = try await box.call("/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode.json", ["ttl": "1800"])
            let phone = Phone()
            let page = "\(pair.demo.url)/activate?code=\(try #require(try JSON(parsing: code)["code"]?.text))"
            let question = try await provider.deliver(
                try await provider.answer(
                    on: phone, from: try await phone.walkToProvider(from: page, as: RunningSAMLProvider.viewer)),
                on: phone)
            _ = try await phone.decide(.confirm, on: question)
            let used = try #require(try JSON(parsing: code)["code"]?.text)
            let session = try await box.call("/adobe-services/session", ["reg_code": used])
            let document = try ClassicBox.element("authnToken", of: session)
            let answer = try await box.call(
                "/adobe-services/logout", ["mso_id": Self.id, "authentication_token": document])
            let address = try ClassicBox.element("logoutUrl", of: answer)
            #expect(address.hasPrefix("\(provider.url)/saml2/idp/SingleLogoutService.php?SAMLRequest="))
            // The provider takes the request, and sends the browser back with its own signed answer.
            let end = try await phone.open(address)
            #expect(end.status == 200 && end.url.hasPrefix("\(pair.demo.url)/sp/logout/\(Self.id)?SAMLResponse="))
            // It asks for the password again.
            let again = try await box.call(
                "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode.json", ["ttl": "1800"])
            let other = "\(pair.demo.url)/activate?code=\(try #require(try JSON(parsing: again)["code"]?.text))"
            let asked = try await phone.open(
                try await phone.walkToProvider(from: other, as: RunningSAMLProvider.viewer))
            #expect(asked.form(having: "password") != nil, "\(asked.summary)")
        }
    }
}

/// A deployed client, as far as these tests need one: it signs each call.
private struct ClassicBox {
    let demo: DemoFolder

    func call(_ path: String, _ fields: [String: String]) async throws -> String {
        let client = HTTPClient()
        let requestor = DemoFolder.compatibleRequestor
        var all = fields
        all["requestor_id"] = requestor
        all["deviceId"] = "classic-box"
        let body = HTMLForm.urlEncoded(all.map { (name: $0.key, value: $0.value) })
        var request = HTTPClient.Request(.post, "\(self.demo.url)\(path)", body: Array(body.utf8))
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["ap_21"] = "classic-box"
        request.headers["Authorization"] = self.demo.authorization(
            "POST", "/regcode", requestor: requestor, nonce: UUID().uuidString)
        let answer = try await client.send(request)
        await client.shutDown()
        guard (200..<300).contains(answer.status) else {
            throw GaveUp(description: "\(path) answered \(answer.status): \(answer.text.prefix(300))")
        }
        return answer.text
    }

    /// The text of an element, with its references undone.
    static func element(_ name: String, of text: String) throws -> String {
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>")
        else { throw GaveUp(description: "no \(name) in \(text.prefix(300))") }
        return String(text[start.upperBound..<end.lowerBound])
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&#10;", with: "\n").replacing("&amp;", with: "&")
    }
}
