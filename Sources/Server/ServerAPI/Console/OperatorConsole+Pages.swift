import Clientless
import Entitlement
import HTTPServer
import Observability

// The contents and actions of the pages.
extension OperatorConsole {
    /// The most counts of reports that one page is made of.
    private static let mostCounts = 100_000
    /// The most rows of the lists of codes, boxes, ended sign-ins, permits and changes of a box, and changes.
    private static let mostCodes = 100
    private static let mostBoxes = 100
    private static let mostEnded = 30
    private static let mostRows = 100
    private static let mostEntries = 200
    /// The longest field of the question for boxes, in bytes.
    private static let longestField = 128

    func overview(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let (domain, now) = (self.parts.domain, visit.now)
        let notice: String? =
            switch visit.request.query["done"] {
            case "cancelled": "The code is cancelled, and its box is told so."
            case "gone": "The code was over already."
            default: nil
            }
        let charts = [self.lastHour(before: now), try await self.lastDay(before: now)]
        let codes = try await domain.codes.openCodes(limit: Self.mostCodes, now: now)
        // Over all processes, as of the last count.
        let openCount = domain.codes.openCount
        let page = Page(
            "overview",
            [
                "notice": .optional(notice), "cancelToken": self.formToken(.consoleCancel, visit),
                "warnings": .list(self.parts.warnings()) { ["warning": .text($0)] },
                "facts": Self.list(self.parts.facts()), "refusals": Self.list(self.refusals),
                "charts": .list(charts, \.values),
                "providers": .list(ConsoleProviders.values(of: domain, uptime: self.parts.uptime())),
                "codes": .list(codes) { ConsoleValue.code($0, now: now) },
                "more": openCount > codes.count && codes.count == Self.mostCodes ? .number(openCount) : .absent,
            ])
        return .page(page, at: ConsolePath.overview)
    }

    /// Refusals of strangers and boxes, as the server counts them for its metrics.
    private var refusals: [Fact] {
        let sums: [(String, String, String)] = [
            ("Wrong codes", "latchkey_guesses_total", #"kind="code",outcome="wrong""#),
            ("Codes refused without a look", "latchkey_guesses_total", #"kind="code",outcome="refused""#),
            ("Wrong passwords", "latchkey_guesses_total", #"kind="password",outcome="wrong""#),
            ("Passwords refused without a look", "latchkey_guesses_total", #"kind="password",outcome="refused""#),
            ("Limits of guessing met", "latchkey_guessing_closed_total", ""),
            ("Limits of calls, new codes and clients met", "latchkey_limits_met_total", ""),
            ("Calls with a refused credential", "latchkey_refused_calls_total", ""),
        ]
        return sums.map { ($0, String(self.parts.metrics.sum(of: $1, where: $2))) }
    }

    private static func list(_ facts: [Fact]) -> TemplateValue {
        .list(facts) { ["name": .text($0.name), "value": .text($0.value)] }
    }

    private func lastHour(before now: Timestamp) -> ConsoleChart {
        let first = now.seconds / 60 - 59
        let found = self.parts.domain.reports.minuteCounts(
            from: Timestamp(seconds: first * 60), until: now + .seconds(60))
        return ConsoleChart(
            words: [
                "heading": .text("Last hour"), "id": .text("hour"), "first": .text("60 minutes ago"),
                "middle": .text("30"), "note": .text("The counts of this process since it started."),
            ], column: "minute", width: .seconds(60),
            counts: Self.columns(60, of: found) { Int($0.hour * 60 + Int64($0.minute ?? 0) - first) }, now: now)
    }

    private func lastDay(before now: Timestamp) async throws(EntitlementError) -> ConsoleChart {
        let first = ReportCount.Key.hour(of: now) - 23
        let (found, isCut) = try await self.parts.domain.reports.counts(
            from: now - .seconds(23 * 3600), until: now, for: MonitoringQuestion([.hour]), limit: Self.mostCounts)
        return ConsoleChart(
            words: [
                "heading": .text("Last day"), "id": .text("day"), "first": .text("24 hours ago"), "middle": .text("12"),
                "note": .text(
                    isCut
                        ? "From the reports in the store, which are too many to be counted whole: the newest hours are missing."
                        : "From the reports in the store, kept every half minute, by the hours of UTC."),
            ], column: "hour", width: .seconds(3600),
            counts: Self.columns(24, of: found) { Int($0.hour - first) }, now: now)
    }

    /// A row for each column of a chart, with the count of each kind of event.
    private static func columns(
        _ number: Int, of counts: [ReportCount], place: (ReportCount.Key) -> Int
    ) -> [[BoxStep.Kind: Int]] {
        var columns = Array(repeating: [BoxStep.Kind: Int](), count: number)
        for count in counts {
            let column = place(count.key)
            if columns.indices.contains(column) { columns[column][count.key.event, default: 0] += count.count }
        }
        return columns
    }

    func cancel(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let isCancelled = try await self.parts.domain.codes.cancel(
            visit.form?["code"] ?? "", actor: visit.operator.name, now: visit.now)
        return .go("\(ConsolePath.overview)?done=\(isCancelled ? "cancelled" : "gone")")
    }

    func audit(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let question = ConsoleAuditQuestion(visit.form)
        var selection: AuditSelection?
        var fault: String?
        do throws(QuestionFault) {
            selection = try question.selection()
        } catch {
            fault = error.sentence
        }
        var entries: [AuditEntry] = []
        if let selection {
            entries = try await self.parts.domain.operations.auditEntries(selection, limit: Self.mostEntries)
        }
        let page = Page(
            "audit",
            [
                "fault": .optional(fault), "formToken": self.formToken(.consoleAudit, visit),
                "fields": .list(question.fields) { field in
                    [
                        "name": .text(field.name), "label": .text(field.label), "value": .text(field.text),
                        "longest": .number(field.longest),
                    ]
                },
                "entries": .list(entries, ConsoleValue.entry), "isCut": .flag(entries.count == Self.mostEntries),
                "longestList": .number(Self.mostEntries),
            ])
        return .page(page, at: ConsolePath.audit, status: fault == nil ? .ok : .badRequest)
    }

    func boxes(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        func field(_ name: String) -> String { visit.form?[name] ?? "" }
        let question = (field("box"), field("viewer"), field("requestor"), field("provider")) as ConsoleBoxQuestion
        var found: (boxes: [SignedInBox], hasMore: Bool) = ([], false)
        var (named, ended, namesRead) = ([SignedInBox](), [SignedInBox](), TemplateValue.absent)
        var fault: String?
        let (operations, catalogue) = (self.parts.domain.operations, self.parts.domain.catalogue)
        switch try await self.selection(question) {
        case .success(let selection) where question.box.isEmpty:
            found = try await operations.boxes(selection, currentAt: visit.now, limit: Self.mostBoxes)
            ended = try await operations.boxes(ended: selection, limit: Self.mostEnded).boxes
        case .success(let selection):
            if let name = BoxName(question.box) { named = try await operations.boxes(named: name) }
            // Also one whose sign-ins have expired: what became of it is often the question.
            found.boxes = named.filter { $0.signIns.contains(where: selection.selects) }
            ended = named.filter { box in
                !box.signIns.contains { selection.selects($0) && $0.isCurrent(at: visit.now) }
                    && box.ended.contains(where: selection.selects(ended:))
            }
            if named.isEmpty {
                let limit = self.parts.mostNamesRead
                let (all, isCut) = try await operations.boxes(selection, currentAt: visit.now, limit: limit)
                let fitting = all.filter { $0.label?.lowercased().contains(question.box.lowercased()) == true }
                found = (Array(fitting.prefix(Self.mostBoxes)), fitting.count > Self.mostBoxes)
                if isCut { namesRead = .number(limit) }
            }
        case .failure(let wrong): fault = wrong.sentence
        }
        let notice: String? = visit.request.query["done"] == "ended" ? "The sign-ins of the box ended." : nil
        let page = Page(
            "boxes",
            [
                "notice": .optional(notice), "fault": .optional(fault),
                "formToken": self.formToken(.consoleBoxes, visit), "endToken": self.formToken(.consoleEnd, visit),
                "askedBox": .text(question.box), "askedViewer": .text(question.viewer),
                "requestors": Self.choices(catalogue.requestors.map(\.id.text), question.requestor),
                "choices": Self.choices(catalogue.mvpds.map(\.id.text), question.provider),
                "boxes": .list(found.boxes) { box in
                    [
                        "boxName": ConsoleValue.name(box.label), "box": .text(box.name),
                        "signIns": ConsoleValue.signIns(box.signIns, now: visit.now),
                    ]
                },
                "hasMore": .flag(found.hasMore), "namesRead": namesRead, "ended": ConsoleValue.ended(ended),
            ])
        return .page(page, at: ConsolePath.boxes, status: fault == nil ? .ok : .badRequest)
    }

    private static func choices(_ all: [String], _ asked: String) -> TemplateValue {
        .list(all) { ["id": .text($0), "isAsked": .flag($0 == asked)] }
    }

    func box(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let (operations, query) = (self.parts.domain.operations, visit.request.query)
        guard let box = try await self.box(query) else {
            return .problem("No such box", "Nothing is kept of this box, or not any more.")
        }
        var explanation: Explanation?
        var fault: String?
        let channel = query["channel"] ?? ""
        if !channel.isEmpty {
            if let resource = try? Resource(fromWire: channel) {
                explanation = try await self.parts.explain(resource, box, visit.now)
            } else {
                fault = "A channel or an MRSS document of at most \(Resource.maximumLength) bytes."
            }
        }
        let verdict =
            switch explanation?.mayPlay {
            case true?: "It may play."
            case false?: "It may not play."
            case nil: "Only the TV provider knows."
            }
        var selection = AuditSelection()
        selection.subject = box.name
        let used = try await self.parts.domain.credentials.used(by: box, now: visit.now)
        let permits = try await operations.decisions(of: box.device)
        let entries = try await operations.auditEntries(selection, limit: Self.mostRows)
        let page = Page(
            "box",
            [
                "boxName": ConsoleValue.name(box.label), "box": .text(box.name),
                "model": .foreign(box.model.flatMap { ForeignText($0) }),
                "endToken": self.formToken(.consoleEnd, visit),
                "signIns": ConsoleValue.signIns(box.signIns, now: visit.now), "ended": ConsoleValue.ended([box]),
                "credentials": .list(used) { ConsoleValue.credential($0, of: box, visit.operator) },
                "channel": .text(channel), "fault": .optional(fault), "longest": .number(Resource.maximumLength),
                "steps": .list(explanation?.steps ?? []) { ["step": .text($0.step), "answer": .text($0.answer)] },
                "verdict": .text(verdict), "mayPlay": .flag(explanation?.mayPlay != false),
                "permits": .list(permits.prefix(Self.mostRows)) { ConsoleValue.permit($0, now: visit.now) },
                "entries": .list(entries, ConsoleValue.entry),
            ])
        return .page(page, at: ConsolePath.boxes, status: fault == nil ? .ok : .badRequest)
    }

    private func box(_ fields: HTTPParameters) async throws(EntitlementError) -> SignedInBox? {
        guard let name = fields["box"].flatMap({ BoxName($0) }) else { return nil }
        return try await self.parts.domain.operations.boxes(named: name).first
    }

    /// Takes a credential of a box out of use, as 'latchkeyd keys revoke' does, or asks first.
    func revoke(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let fields = visit.form ?? visit.request.query
        let credentials = self.parts.domain.credentials
        guard let box = try await self.box(fields),
            visit.operator.mayRevoke,
            let used = try await credentials.used(by: box, now: visit.now).first(where: {
                $0.isInUse && $0.credential.text == fields["credential"]
            })
        else {
            return .problem("Nothing was changed", "The box has no such credential in use that you may revoke.")
        }
        guard visit.form != nil else {
            var values = ConsoleValue.credential(used, of: box, visit.operator)
            values["formToken"] = self.formToken(.consoleRevoke, visit)
            return .page(Page("revoke", values), at: ConsolePath.boxes)
        }
        _ = try await credentials.revoke(used.credential, actor: visit.operator.name, now: visit.now)
        return .go("\(ConsolePath.box)?box=\(box.name)")
    }

    /// The selection of a question; a field that names nothing is said by its name.
    private func selection(
        _ question: ConsoleBoxQuestion
    ) async throws(EntitlementError) -> Result<AuthNSelection, QuestionFault> {
        for (text, field) in [(question.box, "Box"), (question.viewer, "Viewer")]
        where text.utf8.count > Self.longestField {
            return .failure(QuestionFault(sentence: "\(field): at most \(Self.longestField) bytes."))
        }
        var asked = SignInQuestion()
        if !question.viewer.isEmpty { asked.viewer = question.viewer }
        if !question.provider.isEmpty { asked.provider = question.provider }
        if !question.requestor.isEmpty { asked.requestor = question.requestor }
        do throws(SignInQuestion.Fault) {
            return .success(try await self.parts.domain.operations.selection(asked, self.parts.domain.catalogue))
        } catch {
            let sentence =
                switch error {
                case .domain(let error): throw error
                case .field(.viewer): "Viewer: no pseudonym of 64 hex digits, and no account at that TV provider."
                case .field(.provider): "TV provider: the configuration has none with this ID."
                case .field(.requestor), .field(.code): "Requestor: the configuration has none with this ID."
                }
            return .failure(QuestionFault(sentence: sentence))
        }
    }

    /// Ends what a box has, of all requestors, as 'latchkeyd boxes sign-out' does.
    func endSignIns(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let operations = self.parts.domain.operations
        if let text = visit.form?["box"], let name = BoxName(text) {
            let boxes = try await operations.boxes(named: name)
            // Two boxes of one name are one guess in 2^64, and none of them is ended by it.
            if boxes.count == 1, let box = boxes.first {
                _ = try await operations.deleteRecords(of: box.device, actor: visit.operator.name, now: visit.now)
                return .go("\(ConsolePath.boxes)?done=ended")
            }
        }
        return .problem("Nothing was changed", "Nothing is kept of this box any more.")
    }
}
