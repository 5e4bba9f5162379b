/// What this is, for whoever comes without a code.
struct LandingPage: Page {
    static let template = "landing"

    var values: [String: TemplateValue] { [:] }
}
