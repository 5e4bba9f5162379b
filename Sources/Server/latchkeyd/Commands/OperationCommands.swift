import Clientless
import CommandLineTool
import Entitlement
import POSIX
import ServerAPI

enum AuditCommand {
    static let command = ServerCommand(
        .store, "audit", "Show who changed what, newest first",
        discussion: [
            "For commands, the log has the number and name of the user on this machine; behind sudo, of the user "
                + "who called sudo. For programs that call the server, it has their client ID."
        ],
        options: [
            .value("limit", "NUMBER", "At most so many changes; 100 when left out"),
            .value("since", "TIME", "Changes from this moment on, \(MomentOption.forms)"),
            .value("until", "TIME", "Changes before this moment"),
            .value("subject", "TEXT", "Changes whose subject has this in its name, such as a viewer, a key or a box"),
            .value("actor", "TEXT", "Changes whose actor has this in the name"),
            CommonOptions.json,
        ],
        examples: [
            "latchkeyd audit --limit 20": "the last twenty",
            "latchkeyd audit --subject anna --since 2026-01-31": "what became of a viewer",
        ]
    ) { arguments, call in
        let limit = try arguments.integer("limit", in: 1...10_000) ?? 100
        var selection = AuditSelection()
        (selection.since, selection.until) = try MomentOption.range(arguments, now: call.now)
        selection.subject = arguments.value("subject")
        selection.actor = arguments.value("actor")
        try call.list(
            try await call.administration.operations.auditEntries(selection, limit: limit), as: Shapes.auditEntry,
            [
                ("TIME", \.time.timeText), ("ACTOR", { terminalSafe($0.actor) }), ("ACTION", \.action),
                ("SUBJECT", { terminalSafe($0.subject, limit: 120) }),
            ])
    }
}

enum ReportCommand {
    private enum Format: String, CaseIterable {
        case text, json, csv, xml
    }

    private static let mostCounts = 100_000
    private static let usualSpan = "30d"

    static let command = ServerCommand(
        .store, "report", "Show what boxes did, counted by the hour",
        discussion: [
            "The server keeps counts for the newest 500,000 combinations of hour, requestor, provider, kind of box "
                + "and event. A running server adds its own every half minute. Hours and days are in the time zone of "
                + "this machine. A number of days, such as --since 7d, begins with a whole day.",
            "The numbers: \(ReportTable.metrics.joined(separator: ", ")). Each choice of a provider is one of "
                + "authn-attempts, and each refusal by the provider, such as for a wrong password, is one of "
                + "authn-failed: one attempt may fail several times. An authorization that was answered from an "
                + "earlier permit is no attempt. Each media token is a playback. A row without a provider counts "
                + "codes: boxes ask for them before the viewer chooses a provider.",
        ],
        options: [
            .value(
                "by", "WORD",
                "A row for each: \(Self.words.joined(separator: ", ")); may be repeated; day when left out",
                isRepeatable: true
            ).offering(.words(Self.words)),
            .value("since", "TIME", "From this hour on, \(MomentOption.forms); 30d before the end when left out"),
            .value("until", "TIME", "Before this hour; now when left out"),
            .value("format", "WORD", "text, json, csv or xml; text when left out")
                .offering(.words(Format.allCases.map(\.rawValue))), CommonOptions.json,
        ],
        examples: [
            "latchkeyd report --by day --by requestor --format csv": "for a spreadsheet",
            "latchkeyd report --by provider --since 7d": "who signs in where",
        ], also: [.failure]
    ) { arguments, call in
        let dimensions = try Self.dimensions(arguments)
        try arguments.requireAtMostOne(of: "json", "format")
        let format = try arguments.word("format") ?? (arguments.has("json") ? Format.json : .text)
        let range = try MomentOption.range(arguments, now: call.now)
        let end = range.until ?? call.now
        var start = range.since ?? end
        // Days of the calendar: one on which the clock is changed has another length than 24 hours.
        let days = (arguments.value("since") ?? Self.usualSpan).wholeMatch(of: /(\d+)d/).flatMap { Int($0.1) }
        let last = range.since != nil && days != nil ? call.now : start
        let day = LocalTime.startOfDay(at: last.seconds, daysBefore: days ?? 0)
        if start.seconds == day || days != nil {
            // An hour counts for the day in which it begins, and not in every zone does one begin at midnight.
            start = Timestamp(seconds: day + 3599)
        }
        // Days are this machine's, so that the hours are always told apart.
        let told = dimensions.compactMap { MonitoringQuestion.Dimension(rawValue: $0.rawValue) } + [.hour]
        let (counts, hasMore) = try await call.administration.reports.counts(
            from: start, until: end, for: MonitoringQuestion(told), limit: Self.mostCounts)
        guard !hasMore else {
            throw OperatorError(
                "The report would be made of more than \(Self.mostCounts) counts.",
                advice: "Ask for less time with --since and --until.")
        }
        let table = ReportTable(counts, by: dimensions, hourText: { LocalTime.text(at: $0.seconds) })
        try call.result(Self.text(of: table, format))
    }

    /// The names of all commands, and those of the monitoring documents.
    private static let documentNames = ["provider": "mvpd", "requestor": "requestor-id"]
    private static let words = ReportTable.Dimension.allCases.map { Self.word(for: $0.rawValue) }

    private static func word(for name: String) -> String { Self.documentNames.first { $0.value == name }?.key ?? name }

    private static func dimensions(_ arguments: ParsedArguments) throws(UsageError) -> [ReportTable.Dimension] {
        let dimensions = try arguments.values("by").map { (text) throws(UsageError) in
            let word = Self.documentNames[text] ?? text
            guard let dimension = ReportTable.Dimension(rawValue: word) else {
                let hint = nearestName(to: text, among: Self.words).map { " Did you mean '\($0)'?" } ?? ""
                throw arguments.fault("--by takes one of \(Self.words.joined(separator: ", ")).\(hint)")
            }
            return dimension
        }
        return dimensions.isEmpty ? [.day] : dimensions.eachOnce()
    }

    private static func text(of table: ReportTable, _ format: Format) -> String {
        let names = table.dimensions.map { Self.word(for: $0.rawValue) } + ReportTable.metrics
        let rows = table.rows.map { row in row.values + row.numbers.map(String.init) }
        switch format {
        case .text:
            return textTable(names.map { $0.uppercased() }, rows)
        case .json:
            // All values are texts (rest-v1 E).
            let records = rows.map { JSONValue.object(zip(names, $0).map { .init($0, .string($1)) }) }
            return JSONLine.text(of: ["report": .array(records)])
        case .csv:
            return ([names] + rows).map(CSVText.row).joined()
        case .xml:
            let records = rows.map { row in
                "<record " + zip(names, row).map { "\($0)=\"\(XMLText.escaped($1))\"" }.joined(separator: " ") + "/>"
            }
            return "<report>\n" + records.map { $0 + "\n" }.joined() + "</report>"
        }
    }
}

enum ConfirmTimeCommand {
    static let command = ServerCommand(
        .store, "confirm-time", "Say that the clock is right, after the server doubted it",
        discussion: [
            "After its clock jumped, a server erases nothing for a day. Check the clock first ('timedatectl'). A "
                + "running server notices your confirmation within minutes."
        ],
        examples: ["latchkeyd confirm-time": "after a look at timedatectl"]
    ) { arguments, call in
        let now = call.now
        try await call.administration.operations.confirmTime(now, actor: CommandActor.text)
        call.say("\(now.timeText) is the right time.")
    }
}
