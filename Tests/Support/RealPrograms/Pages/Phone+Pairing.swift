import HTTPClient

/// Who signs in, and where.
package struct Viewer: Sendable {
    package var account: String
    package var password: String
    /// The provider's ID, or what its button says; `nil` takes the first one offered.
    package var provider: String?

    package init(account: String, password: String, provider: String? = nil) {
        self.account = account
        self.password = password
        self.provider = provider
    }
}

extension Phone {
    package enum Decision: String, Sendable {
        case confirm, decline
    }

    /// More steps than any way through the pages has.
    private static let stepLimit = 8

    /// Walks from the address of a QR code to the page that asks whether this box is in front of the viewer.
    ///
    /// - Parameter code: what to type where a page asks for the code; `nil` keeps what the page proposes.
    /// - Throws: ``Stuck`` when a page says something is wrong, or has nothing to go on with.
    package func walkToConfirmation(from url: String, code: String? = nil, as viewer: Viewer) async throws -> Page {
        var page = try await self.open(url)
        for _ in 0..<Self.stepLimit {
            if page.isConfirmation { return page }
            guard page.status == 200, page.content.alerts.isEmpty else { throw Stuck(description: page.summary) }
            page = try await self.goOn(from: page, code: code, as: viewer)
        }
        throw Stuck(description: "no confirmation after \(Self.stepLimit) pages; the last is \(page.summary)")
    }

    /// Walks from the address of a QR code to the page that leads to a provider with pages of its own.
    /// - Returns: where that leads.
    /// - Throws: ``Stuck``.
    package func walkToProvider(from url: String, as viewer: Viewer) async throws -> String {
        var page = try await self.open(url)
        for _ in 0..<Self.stepLimit {
            if let refresh = page.headers["Refresh"], let start = refresh.firstRange(of: "url=") {
                return String(refresh[start.upperBound...])
            }
            page = try await self.goOn(from: page, as: viewer)
        }
        throw Stuck(description: "no page leads to the provider; the last is \(page.summary)")
    }

    /// Answers the question of the confirmation page.
    /// - Throws: ``Stuck`` when the next page says that something is wrong.
    package func decide(_ decision: Decision, on page: Page) async throws -> Page {
        guard let form = page.form(having: "decision"),
            let button = form.button(named: "decision", value: decision.rawValue)
        else { throw Stuck(description: "nothing to \(decision) on \(page.summary)") }
        let end = try await self.submit(form, of: page, pressing: button)
        guard end.status == 200, end.content.alerts.isEmpty else { throw Stuck(description: end.summary) }
        return end
    }

    /// Fills in whatever this page asks for, and goes to the next.
    package func goOn(from page: Page, code: String? = nil, as viewer: Viewer) async throws -> Page {
        for form in page.content.forms {
            // To be typed, or brought along by the QR code and only to be compared.
            if let field = form.field(named: "code"), field.type == "text" || form.action == "/activate" {
                return try await self.submit(form, of: page, typing: code.map { ["code": $0] } ?? [:])
            }
            if let password = form.field(ofType: "password"), let account = form.field(ofType: "text") {
                let typed = [account.name: viewer.account, password.name: viewer.password]
                return try await self.submit(form, of: page, typing: typed)
            }
            if let button = form.buttons.first(where: { $0.name == "mvpd" && viewer.provider.admits($0) }) {
                return try await self.submit(form, of: page, pressing: button)
            }
        }
        throw Stuck(description: "nothing to go on with on \(page.summary)")
    }
}

extension Phone.Page {
    package var isConfirmation: Bool { self.form(having: "decision") != nil }
}

extension Optional<String> {
    fileprivate func admits(_ button: HTMLForm.Control) -> Bool {
        self.map { $0 == button.value || button.label.hasPrefix($0) } ?? true
    }
}
