import RealPrograms

extension BrowserWindow {
    /// - Parameter code: `nil` keeps what the page proposes.
    func enterCode(_ code: String? = nil) async throws {
        if let code { try await self.type(code, into: "#code") }
        try await self.clickForNextPage("main form button[type=submit]")
    }

    func pickProvider() async throws {
        try await self.clickForNextPage("button[name=mvpd][value=\(DemoFolder.provider)]")
    }

    func signIn(_ account: String, _ password: String) async throws {
        try await self.type(account, into: "#account")
        try await self.type(password, into: "#password")
        try await self.clickForNextPage("main form button[type=submit]")
    }

    func decide(_ decision: Phone.Decision) async throws {
        try await self.clickForNextPage("button[name=decision][value=\(decision.rawValue)]")
    }
}
