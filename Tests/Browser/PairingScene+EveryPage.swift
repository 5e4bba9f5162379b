import RealPrograms

extension PairingScene {
    /// Walks a pairing, and what can go wrong in it, and lends every page to `body` by its name.
    ///
    /// A new page of the pairing needs a line here, and a picture: `deploy/test pictures --accept`.
    /// - Parameters:
    ///   - withStates: lends a page once more for what it looks like after a script or a tap changed it.
    ///   - body: may show the page in any way; afterwards it is shown as the window's own look again.
    func visitEveryPage(withStates: Bool = false, _ body: (String) async throws -> Void) async throws {
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
        try await state("languages", after: "document.querySelector('details').open = true")
        try await window.open(url + "/activate")
        try await page("code")
        try await self.enterCode("AEI OUAE")
        try await page("wrong code")
        _ = try await window.evaluate("document.querySelector('[name=form_token]').value = 'made-up'")
        try await self.enterCode()
        try await page("problem")
        try await window.open(self.code.url)
        try await page("scanned")
        try await self.enterCode()
        try await page("provider")
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
        try await window.open(url + "/nowhere")
        try await page("missing")
    }
}
