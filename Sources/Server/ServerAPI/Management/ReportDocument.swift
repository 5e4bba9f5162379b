import Clientless
import Entitlement
import HTTPServer
import TextCoding

enum ReportFormat: Hashable, Sendable {
    case document(WireFormat)
    /// RFC 4180.
    case csv
}

/// A report on the wire (rest-v1 E): all its values are texts.
struct ReportDocument: Sendable {
    /// The segments behind the root.
    let path: [String]
    let question: MonitoringQuestion
    let start: Timestamp
    let end: Timestamp
    let rows: [ReportTable.Row]

    private static let root = "/esm/v3"

    func response(_ format: ReportFormat) -> HTTPResponse {
        switch format {
        case .document(let form): return Answer.document(self.document, form)
        case .csv:
            let lines = [self.names] + self.rows.map { $0.values + $0.numbers.map(String.init) }
            return Answer.content("text/csv; charset=utf-8", lines.map(CSVText.row).joined().utf8)
                .adding("Content-Disposition", "attachment; filename=\"\(self.fileName)\"")
        }
    }

    private var names: [String] { self.question.dimensions.map(\.rawValue) + self.question.metrics }

    /// `esm__<start>_<end>_<filters>.csv`, in letters that any system takes.
    private var fileName: String {
        let filters = self.question.filters.map { filter in
            "\(filter.dimension.rawValue)\(filter.isInverted ? "-not" : "")-\(filter.values.sorted().joined(separator: "-"))"
        }
        let name = "esm__\(Self.text(self.start))_\(Self.text(self.end))_\(filters.joined(separator: "_"))"
        let plain = name.utf8.prefix(120).map { byte in
            byte.isLetterOrDigit || byte == UInt8(ascii: "_") ? byte : UInt8(ascii: "-")
        }
        return String(decoding: plain, as: UTF8.self) + ".csv"
    }

    private var document: WireDocument { WireDocument("resource") { $0 == .json ? self.json : self.xml } }

    private var records: [[(name: String, value: String)]] {
        self.rows.map { Array(zip(self.names, $0.values + $0.numbers.map(String.init))) }
    }

    private var json: JSONValue {
        func reference(_ address: String) -> JSONValue { ["href": .string(address)] }
        var links = self.links.filter { $0.relation != "drill-down" }.map { link in
            JSONValue.Member(link.relation, reference(link.address))
        }
        let drills = self.links.filter { $0.relation == "drill-down" }.map { reference($0.address) }
        if let first = drills.first { links.append(.init("drill-down", drills.count == 1 ? first : .array(drills))) }
        return [
            "_links": .object(links),
            "report": .array(self.records.map { .object($0.map { .init($0.name, .string($0.value)) }) }),
        ]
    }

    private var xml: JSONValue {
        [
            "@href": .string(self.address(of: self.path) + self.query),
            "links": [
                "link": .array(
                    self.links.map { ["@rel": .string($0.relation), "@href": .string($0.address)] })
            ],
            "report": [
                "record": .array(self.records.map { .object($0.map { .init("@\($0.name)", .string($0.value)) }) })
            ],
        ]
    }

    /// The addresses of this report, of the one with a dimension less, and of those with one more.
    private var links: [(relation: String, address: String)] {
        var links = [(relation: "self", address: self.address(of: self.path) + self.query)]
        if !self.path.isEmpty { links.append(("roll-up", self.address(of: self.path.dropLast()))) }
        let known = self.path.compactMap(MonitoringQuestion.Dimension.init(rawValue:))
        for dimension in MonitoringQuestion.continuations(of: known) {
            links.append(("drill-down", self.address(of: self.path + [dimension.rawValue])))
        }
        return links
    }

    private func address(of path: some Sequence<String>) -> String { ([Self.root] + path).joined(separator: "/") }

    /// The parameters besides the path, with what was left out.
    private var query: String {
        var fields = ["start=\(Self.text(self.start))", "end=\(Self.text(self.end))", "limit=\(self.question.limit)"]
        for filter in self.question.filters {
            for value in filter.values.sorted() {
                fields.append(
                    "\(filter.dimension.rawValue)\(filter.isInverted ? "!" : "")=\(PercentCoding.encoded(value))")
            }
        }
        for dimension in self.question.dimensions where !self.path.contains(dimension.rawValue) {
            fields.append("\(dimension.rawValue)=")
        }
        if self.question.metrics != MonitoringQuestion.usualMetrics(of: self.question.dimensions) {
            fields.append("metrics=\(self.question.metrics.joined(separator: ","))")
        }
        return "?" + fields.joined(separator: "&")
    }

    /// `2026-01-31T20:00:00`, of UTC.
    private static func text(_ moment: Timestamp) -> String { String(moment.timeText.dropLast()) }
}

extension ReportDocument {
    private static let link = JSONSchema.object([.required("href", .text(1...8192))])

    static let schemas: APIDescription.NamedSchemas = [
        "MonitoringReport": .object([
            .required(
                "_links",
                .object([
                    .required("self", link), .optional("roll-up", link),
                    .optional("drill-down", .any(of: [link, .list(of: link)])),
                ])),
            .required("report", .list(of: .map(of: .text()))),
        ]),
        // Records have a report's columns as attributes.
        "MonitoringResource": JSONSchema.members([.required("href", JSONSchema.text(1...8192).asAttribute)])
            .element("resource"),
    ]
}

extension APIAnswer.Header {
    static let disposition = sometimes(
        "Content-Disposition", .text(pattern: #"^attachment; filename="[A-Za-z0-9_.-]+"$"#),
        "The name of a file for a report in CSV.")
}
