import RealPrograms
import Testing

extension PairingScene {
    /// Walks a pairing, and what can go wrong in it, and lends every page to `body` by its name.
    ///
    /// A new page of the pairing needs a line here, and a picture: `deploy/test pictures --accept`.
    /// - Parameters:
    ///   - withStates: lends a page once more for what it looks like after a script or a tap changed it.
    ///   - withTrouble: goes past a provider that is down, and a free preview; ``offerProviderThatIsDown(in:)`` is needed.
    ///   - body: may show the page in any way; afterwards it is shown as the window's own look again.
    func visitEveryPage(withStates: Bool = false, withTrouble: Bool = false, _ body: (String) async throws -> Void)
        async throws
    {
        let (window, url) = (self.window, self.server.url)
        func page(_ name: String) async throws {
            try await body(name)
            try await window.show(as: window.look)
        }
        func state(_ name: String, after script: String) async throws {
            guard withStates else { return }
            _ = try await window.evaluate(script)
            try await page(name)
        }
        try await window.open(url + "/")
        try await page("landing")
        try await state("languages", after: "document.querySelector('.languages').open = true")
        try await window.open(url + "/activate")
        try await page("code")
        try await self.enterCode("AEI OUAE")
        try await page("wrong code")
        _ = try await window.evaluate("document.querySelector('[name=form_token]').value = 'made-up'")
        try await self.enterCode()
        try await page("problem")
        try await window.open(self.code.url)
        try await page("provider")
        if withTrouble { try await self.visitTrouble(page) }
        try await self.pickProvider()
        try await page("sign-in")
        try await self.signIn(password: "not the password")
        try await page("wrong password")
        try await self.signIn()
        try await page("confirm")
        // A box that is gone keeps the page waiting.
        await self.box.kill()
        try await self.decide(.confirm)
        try await page("done")
        try await state("ready", after: "show('ready')")
        try await state("silent", after: "show('silent')")
        try await window.open(url + "/activate/declined")
        try await page("declined")
        try await window.open(url + "/boxes")
        try await page("boxes, providers")
        try await self.pickProvider()
        try await page("boxes, sign-in")
        try await self.signIn()
        try await page("boxes")
        try await window.open(try await window.url.replacing("/boxes?", with: "/boxes/all?"))
        try await page("boxes, all")
        try await window.open(url + "/boxes/new?notice=x")
        try await page("no new box")
        try await window.open(url + "/help/errors")
        try await page("error codes")
        try await window.open(url + "/nowhere")
        try await page("missing")
    }

    /// From the picker to what leads back to it.
    private func visitTrouble(_ page: (String) async throws -> Void) async throws {
        let picker = try await self.window.url
        try await self.window.clickForNextPage("button[name=mvpd][value=\(Self.down)]")
        #expect(try await self.window.elements("main .button").count == 1, "one next step")
        try await page("provider down")
        try await self.window.open(picker)
        try await self.window.clickForNextPage("button[name=mvpd][value=FreePreview]")
        try await page("preview")
        try await self.window.open(picker)
    }

    /// A TV provider where no program listens.
    static let down = "Down"

    static func offerProviderThatIsDown(in configuration: inout JSON) {
        let settings: JSON = [
            "issuer": "http://127.0.0.1:1", "clientID": "latchkey", "clientAuthentication": "none",
            "lineUpClaim": "channels",
        ]
        let provider: JSON = ["id": .text(self.down), "name": "Down TV", "kind": "oidc", "oidc": settings]
        configuration["providers"] = .list((configuration["providers"]?.list ?? []) + [provider])
        self.integrate(&configuration) { $0 + [["provider": .text(self.down)]] }
    }

    static func integrate(_ configuration: inout JSON, _ change: ([JSON]) -> [JSON]) {
        configuration["requestors"] = .list(
            (configuration["requestors"]?.list ?? []).map { requestor in
                var requestor = requestor
                requestor["integrations"] = .list(change(requestor["integrations"]?.list ?? []))
                return requestor
            })
    }
}
