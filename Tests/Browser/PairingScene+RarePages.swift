import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

/// Pages that few viewers meet: of many providers, of one that is down, of a box whose place is known.
extension PairingScene {
    /// Where a box asks from that says it is elsewhere.
    private static let address = "203.0.113.7"

    /// What ``visitRarePages(_:)`` needs: a list of 240 providers, one of which is down, a file of places, and a
    /// proxy that speaks for boxes.
    static func prepareRarePages(in configuration: inout JSON) {
        self.offer(Array(ProviderNames.many.prefix(240)), in: &configuration)
        self.offerProviderThatIsDown(in: &configuration)
        configuration["pages"] = ["places": .text(Vectors.path("places.mmdb"))]
        configuration["server"]?["trustedProxies"] = ["127.0.0.1"]
    }

    /// Lends every page to `body` by its name. A new one needs a picture: `deploy/test pictures --accept`.
    func visitRarePages(_ body: (String) async throws -> Void) async throws {
        let window = self.window
        func page(_ name: String) async throws {
            try await body(name)
            try await window.show(as: window.look)
        }
        try await window.open(self.code.url)
        try await page("many providers")
        try await window.clickForNextPage("button[name=mvpd][value=\(Self.down)]")
        try await page("provider down")
        try await window.open("\(self.server.url)/activate?code=\(try await self.codeFromElsewhere())")
        try await self.pickProvider()
        try await self.signIn()
        #expect(try await window.text(of: ".facts").contains("Berlin"))
        try await page("confirm, place")
        try await self.decide(.confirm)
        try await window.open(self.server.url + "/boxes")
        try await self.pickProvider()
        try await self.signIn()
        #expect(try await window.text(of: ".box .facts").contains("Berlin"))
        try await page("boxes, place")
        try await window.open(try self.proxyPage())
        try await page("proxy")
        await self.box.kill()
    }

    func codeFromElsewhere() async throws -> String {
        let path = "/reggie/v1/\(DemoFolder.compatibleRequestor)/regcode"
        // Of several servers one by itself: a real proxy before them does not pass on what callers claim.
        let server = self.server.servers[0]
        var request = HTTPClient.Request(
            .post, server.url + path + ".json", body: Array("deviceId=elsewhere&ttl=1800".utf8))
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["X-Forwarded-For"] = Self.address
        request.headers["Authorization"] = self.server.demo.authorization(
            "POST", path, requestor: DemoFolder.compatibleRequestor, nonce: "elsewhere")
        let answer = try await server.send(request)
        guard let code = try JSON(parsing: answer.text)["code"]?.text
        else { throw GaveUp(description: "no code for a box elsewhere: \(answer.status) \(answer.text)") }
        return code
    }

    /// What the proxy shows the viewer while the server does not answer, as an address that holds all of it.
    private func proxyPage() throws -> String {
        let file = URL(filePath: ProjectFolder.file("deploy/package/nginx/latchkey.conf"))
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let language = self.window.look.language
        let words = text.matches(of: /\n {4}([a-z]+) '([^']*)';/).first {
            $0.1 == (language == "en" ? "default" : language)
        }
        guard let frame = text.firstMatch(of: /return 503 '([^']*)'/)?.1, let words
        else { throw GaveUp(description: "the proxy's configuration has no page in \(language)") }
        let page = frame.replacing("$latchkey_language", with: language).replacing("$latchkey_away", with: words.2)
        return "data:text/html;base64,\(Data(page.utf8).base64EncodedString())"
    }
}
