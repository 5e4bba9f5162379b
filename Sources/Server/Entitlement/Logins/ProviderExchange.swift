import Clientless

/// A login while its browser is at the provider: what finishes it on any node. Kept sealed with the attempt.
struct ProviderExchange: Sealable {
    /// Longer addresses are cut by browsers and proxies.
    private static let maximumAddress = 8192
    private static let maximumForm = 65_536

    private let url: String?
    private let form: ProviderForm?
    let state: ProviderState
    let context: ProviderLoginContext
    /// Whether the viewer is not asked because they may be at home; one who is not is asked then.
    let triesHome: Bool

    /// - Throws: `misconfigured` when the browser cannot be sent there.
    init(_ start: ProviderStart, _ context: ProviderLoginContext, triesHome: Bool) throws(ProviderError) {
        switch start.handover {
        case .redirect(let url) where Self.isAddress(url):
            self.url = url
            self.form = nil
        case .form(let form) where Self.isUsable(form):
            self.url = nil
            self.form = form
        case .signInPage, .redirect, .form, .accepted:
            throw ProviderError(.misconfigured, detail: "the provider has no address that a browser can be sent to")
        }
        self.state = start.state
        self.context = context
        self.triesHome = triesHome
    }

    var json: JSONValue {
        .members([
            "url": self.url.map { .string($0) }, "form": self.form?.json, "state": self.state.json,
            "context": self.context.json, "triesHome": .boolean(self.triesHome),
        ])
    }

    var handover: ProviderHandover? { self.url.map { .redirect(url: $0) } ?? self.form.map { .form($0) } }

    private static func isUsable(_ form: ProviderForm) -> Bool {
        form.fields.count <= ProviderCallback.maximumCount && self.isAddress(form.address)
            && form.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= self.maximumForm
    }

    /// An address fit for a header field and a page's policy: an absolute one of the web, in visible ASCII, without
    /// a user's name.
    private static func isAddress(_ text: String) -> Bool {
        let schemes = ["https://", "http://"]
        guard text.utf8.count <= self.maximumAddress, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let scheme = schemes.first(where: { text.prefix($0.utf8.count).lowercased() == $0 })
        else { return false }
        let authority = text.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        return !authority.isEmpty && !authority.contains { "@\\;,'\"<>".utf8.contains($0) }
    }
}
