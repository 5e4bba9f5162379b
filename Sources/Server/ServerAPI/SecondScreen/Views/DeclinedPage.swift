/// The viewer said no, and the box was told.
struct DeclinedPage: Page {
    static let template = "declined"

    var values: [String: TemplateValue] { [:] }
}
