import ServerAPI
import CommandLineTool
import Entitlement

/// `latchkeyd audit`
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
