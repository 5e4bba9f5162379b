import Clientless
import Entitlement
import HTTPServer

// `/esm/v3/…`: what boxes did, counted (rest-v1 E). Each segment of the path is a dimension; a caller sees what its
// requestors' boxes did.
extension Management {
    private typealias Dimension = MonitoringQuestion.Dimension

    private static let root = "/esm/v3"
    /// The most counts that one report is made of.
    private static let mostCounts = 200_000
    private static let limits: ClosedRange<Int> = 1...100_000

    /// The root, and a path for each number of dimensions.
    private static let calls: [EndpointFacts.Call] = (0...Dimension.allCases.count).map { depth in
        let segments = (0..<depth).map { "/{dimension\($0 + 1)}" }.joined()
        return (.get, root + segments, depth == 0 ? "readReport" : "readReportBy\(depth)")
    }

    /// Dimensions that are no time can be filtered, or only added.
    private static let filters: [APIField] = Dimension.allCases.filter { !$0.isTime }.flatMap { dimension in
        [
            APIField.optional(
                dimension.rawValue, .text(0...128),
                "Only this value; repeated for more than one, empty to have the dimension as a column."),
            .optional(
                "\(dimension.rawValue)!", .text(0...128), "Not this value, as in `\(dimension.rawValue)!=value`."),
        ]
    }

    private static let times = JSONSchema.text(
        0...20, pattern: #"^([0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}(:[0-9]{2})?)?Z?)?)?)?)?$"#)

    private static let fields: [APIField] =
        filters + [
            .optional("start", times, "From this moment on (UTC), or a beginning of one, such as `2026-01`."),
            .optional("end", times, "Before this moment; now when left out."),
            .optional("metrics", .text(0...512), "Only these columns, with commas between them."),
            .optional("limit", .text(0...6, pattern: "^[0-9]*$").standard(.string("1000")), "Rows; 1 to 100000."),
            .optional(
                "format", .choice("json", "xml", "csv"),
                "The form of the answer; `.json`, `.xml` or `.csv` behind the path comes first, `Accept` last, then JSON."
            ),
        ]

    static let reportEndpoints: [Endpoint<Management>] = [
        Endpoint(
            calls, name: "management-reports", .management, "Read what boxes did, counted",
            """
            Each segment of the path is a column that rows are told apart by; links lead to fewer and to more. All values \
            are texts. Hours are those of UTC; counts are kept every half minute. By the minute the server that is asked \
            tells of its own last hour. Steps of boxes (`event`) have the column `count`.
            """,
            section: "rest-v1 E", requestor: .nowhere, limits: .devices, bodyLimit: .page, fields: fields,
            answers: [
                APIAnswer(
                    200, "The report.",
                    [
                        .json(.named("MonitoringReport")), .xml(.named("MonitoringResource")),
                        .init(type: "text/csv", schema: .text()),
                    ], headers: [.disposition]),
                APIAnswer(400, "The fault of the question.", [.init(type: "text/plain", schema: .text(1...512))]),
                APIAnswer(
                    406, "`format` is none of the three.", [.init(type: "text/plain", schema: .text(1...512))]),
                .unauthorized,
                .error(403, "`Forbidden`: the token is not good for this.", .authentication),
                .error(
                    404, "`Not Found`: a segment is no dimension, is there twice, or out of order.", .authentication),
            ] + APIAnswer.always, errors: .classic(.authentication),
            handler: .managed(.analytics) { try await $0.report($1.call, $1.caller) })
    ]

    private func report(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let (path, format) = Self.place(of: call)
        guard let format else { return Self.refusal("format: json, xml or csv", .notAcceptable) }
        var question = MonitoringQuestion(try Self.dimensions(of: path))
        var (start, end): (Timestamp, Timestamp)
        do throws(QuestionFault) {
            try Self.read(call, into: &question)
            end = try Self.moment("end", call) ?? call.now
            start = try Self.moment("start", call) ?? end - question.usualSpan
            guard start <= end else { throw QuestionFault(sentence: "start: after the end") }
            guard !question.isByMinute || start >= call.now - RecentCounts.span - .seconds(60) else {
                throw QuestionFault(sentence: "start: by the minute only the last hour is known; ask by the hour")
            }
        } catch {
            return Self.refusal(error.sentence)
        }
        if !question.isByMinute {
            // Stored counts are by the hour; the answer's own address says so.
            start = Timestamp(seconds: start.seconds / 3600 * 3600)
            end = Timestamp(seconds: (end.seconds + 3599) / 3600 * 3600)
        }
        let (counts, hasMore) =
            question.isByMinute
            ? (self.domain.reports.minuteCounts(from: start, until: end), false)
            : try await self.domain.reports.counts(
                from: start, until: end, for: question, of: caller.requestors, limit: Self.mostCounts)
        guard !hasMore else {
            return Self.refusal("start, end: more than \(Self.mostCounts) counts; ask for less time")
        }
        let report = MonitoringReport(counts, question, of: caller.requestors)
        let document = ReportDocument(path: path, question: question, start: start, end: end, rows: report.rows)
        return document.response(format)
    }

    private static func refusal(_ sentence: String, _ status: HTTPStatus = .badRequest) -> HTTPResponse {
        HTTPResponse.text(sentence + "\n", status: status).setting("Cache-Control", Answer.uncached)
    }

    /// The segments behind the root, and the form: by the suffix, then `format`, then `Accept`; `nil` for a form that there is
    /// not.
    private static func place(of call: Call) -> (path: [String], format: ReportFormat?) {
        var path = call.request.path.split(separator: "/").dropFirst(2).map(String.init)
        if let last = path.last, last.utf8.count > 4, last.hasSuffix(".csv") {
            path[path.count - 1] = String(last.dropLast(4))
            return (path, .csv)
        }
        switch call.preference.source {
        case .suffix: return (path, .document(call.format))
        case .parameter, .accept, .fallback: break
        }
        let named = call.parameters["format"] ?? ""
        if let format = WireFormat(name: named) { return (path, .document(format)) }
        let accepted = call.request.headers["Accept"] ?? ""
        guard ["", "csv"].contains(named.lowercased()) else { return (path, nil) }
        if !named.isEmpty || accepted.hasPrefix("text/csv") { return (path, .csv) }
        return (path, .document(call.preference.source == .accept ? call.format : .json))
    }

    private static func dimensions(of path: [String]) throws(WireError) -> [Dimension] {
        var dimensions: [Dimension] = []
        for segment in path {
            guard let dimension = Dimension(rawValue: segment), !dimensions.contains(dimension)
            else { throw .notFound }
            dimensions.append(dimension)
        }
        guard MonitoringQuestion.isInOrder(dimensions) else { throw .notFound }
        return dimensions
    }

    private static let known = Set(fields.map(\.name) + ["access_token"])

    private static func read(_ call: Call, into question: inout MonitoringQuestion) throws(QuestionFault) {
        if let name = call.parameters.undeclared.pairs.first(where: { !self.known.contains($0.name) })?.name {
            throw QuestionFault(sentence: "\(name.prefix(64)): no such filter or parameter")
        }
        try self.readFilters(call, into: &question)
        if let text = call.parameters["metrics"], !text.isEmpty {
            let names = text.utf8.count <= 512 ? text.split(separator: ",").map(String.init) : []
            guard !names.isEmpty, Set(names).count == names.count,
                names.allSatisfy(MonitoringQuestion.knownMetrics.contains)
            else {
                throw QuestionFault(
                    sentence: "metrics: each once of \(MonitoringQuestion.knownMetrics.joined(separator: ", "))")
            }
            question.metrics = names
        } else {
            // A column may have come by its parameter.
            question.metrics = MonitoringQuestion.usualMetrics(of: question.dimensions)
        }
        if let text = call.parameters["limit"], !text.isEmpty {
            guard text.utf8.count <= 6, let limit = Int(text), self.limits.contains(limit) else {
                throw QuestionFault(sentence: "limit: 1 to 100000")
            }
            question.limit = limit
        }
    }

    private static func readFilters(_ call: Call, into question: inout MonitoringQuestion) throws(QuestionFault) {
        for dimension in Dimension.allCases where !dimension.isTime {
            let name = dimension.rawValue
            let wanted = call.parameters.all(name)
            if !wanted.isEmpty, !question.dimensions.contains(dimension), wanted.contains("") {
                question.dimensions.append(dimension)
            }
            for (values, isInverted) in [(wanted, false), (call.parameters.all("\(name)!"), true)] {
                let values = values.filter { !$0.isEmpty }
                guard !values.isEmpty else { continue }
                guard values.count <= 64, values.allSatisfy({ $0.utf8.count <= 128 }) else {
                    throw QuestionFault(sentence: "\(name): at most 64 values of 128 bytes")
                }
                question.filters.append((dimension, Set(values), isInverted))
            }
        }
    }

    private static func moment(_ name: String, _ call: Call) throws(QuestionFault) -> Timestamp? {
        guard let text = call.parameters[name], !text.isEmpty else { return nil }
        guard let moment = CivilTime.moment(text) else {
            throw QuestionFault(sentence: "\(name): no time such as 2026-01-31T20:00:00, or a beginning of one")
        }
        return moment
    }
}
