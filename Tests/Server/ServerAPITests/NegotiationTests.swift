import HTTPServer
import Testing

@testable import ServerAPI

@Suite("The form of an answer")
struct NegotiationTests {
    struct Row: Sendable {
        let suffix: WireFormat?
        let parameter: String?
        let accept: String?
        let expected: WireFormat

        init(_ suffix: WireFormat?, _ parameter: String?, _ accept: String?, _ expected: WireFormat) {
            self.suffix = suffix
            self.parameter = parameter
            self.accept = accept
            self.expected = expected
        }
    }

    private static func header(_ accept: String?) -> AcceptHeader? {
        AcceptHeader(of: HTTPHeaders(accept.map { [("Accept", $0)] } ?? []))
    }

    static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test(arguments: [
        Row(nil, nil, nil, .xml),
        Row(nil, nil, "*/*", .xml),
        Row(nil, nil, "", .xml),
        Row(nil, nil, browser, .xml),
        Row(nil, nil, "text/plain, */*", .xml),
        Row(nil, nil, "application/json, text/plain, */*", .json),
        Row(nil, nil, "text/json", .json),
        Row(nil, nil, "text/xml", .xml),
        Row(nil, nil, "APPLICATION/JSON", .json),
        Row(nil, nil, "application/json;charset=utf-8", .json),
        Row(nil, nil, "application/json;q=0.2, application/xml;q=0.1", .json),
        Row(nil, nil, "application/json;q=0.2, application/xml;q=0.3", .xml),
        Row(nil, nil, "application/xml, application/json", .xml),
        Row(nil, nil, "application/json, application/xml", .json),
        Row(nil, nil, "application/json;q=0", .xml),
        Row(nil, nil, "application/json;q=0.000, */*", .xml),
        Row(nil, nil, "application/json;q=2", .xml),
        Row(nil, nil, "application/json;q=abc, text/json;q=0.001", .json),
        Row(nil, nil, "application/json ; q=0.5 , application/xml ; q=0.4", .json),
        Row(.json, nil, browser, .json),
        Row(.json, "xml", "application/xml", .json),
        Row(.xml, "json", "application/json", .xml),
        Row(nil, "json", "application/xml", .json),
        Row(nil, "xml", "application/json", .xml),
        Row(nil, "JSON", nil, .json),
        Row(nil, "yaml", nil, .xml),
        Row(nil, "yaml", "application/json", .json),
        Row(nil, "", "application/json", .json),
    ])
    func `comes from the suffix, then format, then Accept, then is XML`(_ row: Row) {
        let preference = FormatPreference(suffix: row.suffix, parameter: row.parameter, accept: Self.header(row.accept))
        #expect(preference.format == row.expected)
    }

    @Test(
        "is for people only when nothing else was said and HTML comes first",
        arguments: [
            (nil, nil, browser, true), (nil, nil, "text/html", true),
            (nil, nil, "text/html, application/json", true), (nil, nil, "application/json, text/html", false),
            (nil, nil, "text/html;q=0.5, application/json", false), (nil, nil, "*/*", false), (nil, nil, nil, false),
            (.json, nil, browser, false), (nil, "json", browser, false), (nil, "yaml", browser, true),
        ] as [(WireFormat?, String?, String?, Bool)])
    func people(suffix: WireFormat?, parameter: String?, accept: String?, expected: Bool) {
        #expect(
            FormatPreference(suffix: suffix, parameter: parameter, accept: Self.header(accept)).isForPeople == expected)
    }

    @Test(
        "is an empty JSON object only for those whose Accept names JSON",
        arguments: [
            (nil, "application/json", true), (.json, nil, false), (.json, "application/json", true),
            (.xml, "application/json", false), (nil, nil, false),
        ] as [(WireFormat?, String?, Bool)])
    func emptyObject(suffix: WireFormat?, accept: String?, expected: Bool) {
        #expect(
            FormatPreference(suffix: suffix, parameter: nil, accept: Self.header(accept)).acceptNamesJSON == expected)
    }

    @Test func `survives an Accept of any length`() {
        let value = Array(repeating: "application/json;q=0.1", count: 10_000).joined(separator: ",")
        #expect(AcceptHeader(value).format == .json)
    }
}
