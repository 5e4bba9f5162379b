import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer
import TextCoding

/// The forms of a report.
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
    let rows: [MonitoringReport.Row]

    private static let root = "/esm/v3"

    func response(_ format: ReportFormat) -> HTTPResponse {
        switch format {
        case .document(let form): return Answer.document(self.document, form)
        case .csv:
            let lines = [self.names] + self.rows.map { $0.values + $0.numbers.map(String.init) }
            return Answer.content("text/csv; charset=utf-8", .text(lines.map(CSVText.row).joined()))
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

    private var document: WireDocument {
        let (links, own) = (self.links, self.address(of: self.path) + self.query)
        let drills = links.filter { $0.relation == "drill-down" }
        var inJSON = links.filter { $0.relation != "drill-down" }.map { link in
            WireObject.Member(link.relation, Self.reference(link.address))
        }
        switch drills.count {
        case 0: break
        case 1: inJSON.append(.init("drill-down", Self.reference(drills[0].address)))
        default: inJSON.append(.init("drill-down", .array(drills.map { Self.reference($0.address) })))
        }
        let inXML = links.map { link in
            WireValue.object(
                WireObject([], attributes: [.init("rel", link.relation), .init("href", link.address)]))
        }
        let records = self.rows.map { row in zip(self.names, row.values + row.numbers.map(String.init)) }
        let asMembers = records.map { record in
            WireValue.object(WireObject(record.map { .init($0, .string($1)) }))
        }
        let asAttributes = records.map { record in
            WireValue.object(WireObject([], attributes: record.map { .init($0, $1) }))
        }
        return WireDocument(
            "resource",
            WireObject(
                [
                    .init("_links", .object(WireObject(inJSON)), only: .json),
                    .init("report", .array(asMembers), only: .json),
                    .init("links", .object(WireObject([.init("link", .array(inXML))])), only: .xml),
                    .init("report", .object(WireObject([.init("record", .array(asAttributes))])), only: .xml),
                ], attributes: [.init("href", own)]))
    }

    private static func reference(_ address: String) -> WireValue {
        .object(WireObject([.init("href", .string(address))]))
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

    private func address(of path: some Sequence<String>) -> String {
        ([Self.root] + path).joined(separator: "/")
    }

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
    private static func text(_ moment: Timestamp) -> String {
        String(
            decoding: Date(timeIntervalSince1970: Double(moment.seconds)).formatted(.iso8601).utf8.prefix(19),
            as: UTF8.self)
    }
}

extension APIAnswer.Header {
    static let disposition = sometimes(
        "Content-Disposition", .text(pattern: #"^attachment; filename="[A-Za-z0-9_.-]+"$"#),
        "The name of a file for a report in CSV.")
}
