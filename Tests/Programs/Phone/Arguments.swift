import RealPrograms

/// What `phone` is told to do.
struct Arguments {
    static let usage = """
        usage: phone URL ACCOUNT PASSWORD [decline] [--provider ID] [--pages URL] [--certificate-authority FILE]
        """

    let address: String
    let viewer: Viewer
    private(set) var decision = Phone.Decision.confirm
    /// Where a provider of Debian's glewlwyd has its pages; `nil` is a provider without pages of its own.
    private(set) var pages: String?
    /// The PEM file with the only authority that the phone trusts; `nil` trusts those of the system.
    private(set) var authority: String?

    /// - Returns: `nil` for words that are no command.
    init?(_ words: [String]) {
        guard words.count >= 3 else { return nil }
        var viewer = Viewer(account: words[1], password: words[2])
        var rest = words.dropFirst(3)
        while let word = rest.popFirst() {
            if word == "decline" {
                self.decision = .decline
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch word {
            case "--provider": viewer.provider = value
            case "--pages": self.pages = value
            case "--certificate-authority": self.authority = value
            default: return nil
            }
        }
        self.address = words[0]
        self.viewer = viewer
    }
}
