import Clientless
import Entitlement
import HTTPServer

enum ConsolePath {
    static let overview = "/"
    static let boxes = "/boxes"
    static let box = "/box"
    static let revoke = "/box/revoke"
    static let endSignIns = "/boxes/sign-out"
    static let audit = "/audit"
    static let cancel = "/codes/cancel"
    static let signIn = "/sign-in"
    static let signOut = "/sign-out"

    static let navigation = [(overview, "Overview"), (boxes, "Boxes"), (audit, "Audit")]
}

/// The question for boxes, as it was typed; empty texts ask for nothing.
typealias ConsoleBoxQuestion = (box: String, viewer: String, requestor: String, provider: String)

/// The question for changes, as it was typed; empty texts ask for nothing.
struct ConsoleAuditQuestion: Sendable {
    /// A field's name, its label, the most bytes it may have, and its text.
    let fields: [(name: String, label: String, longest: Int, text: String)]

    init(_ form: HTTPParameters?) {
        let fields = [
            ("subject", "Subject", AuditSelection.longestPart), ("actor", "By", AuditSelection.longestPart),
            ("since", "From", 20), ("until", "Before", 20),
        ]
        self.fields = fields.map { ($0, $1, $2, form?[$0] ?? "") }
    }

    /// - Throws: what is wrong with it, as a sentence for the operator.
    func selection() throws(QuestionFault) -> AuditSelection {
        var selection = AuditSelection()
        for field in self.fields where !field.text.isEmpty {
            guard field.text.utf8.count <= field.longest
            else { throw QuestionFault(sentence: "“\(field.label)” is too long.") }
            switch field.name {
            case "subject": selection.subject = field.text
            case "actor": selection.actor = field.text
            default:
                guard let moment = CivilTime.moment(field.text) else {
                    throw QuestionFault(
                        sentence: "“\(field.label)” takes a day or a time in UTC, such as 2026-01-31 or "
                            + "2026-01-31T20:00.")
                }
                if field.name == "since" { selection.since = moment } else { selection.until = moment }
            }
        }
        return selection
    }
}

enum ConsoleValue {
    static func code(_ code: OpenCode, now: Timestamp) -> TemplateValues {
        let state =
            switch code.state {
            case .waiting(refusal: nil): "waits for a viewer"
            case .waiting(.some): "waits; the last sign-in was refused"
            case .opened: "a viewer entered it"
            case .loggingIn: "a viewer signs in"
            case .confirming: "a viewer is asked about the box"
            case .completed: "signed in"
            case .declined: "declined"
            case .cancelled: "cancelled"
            case .expired: "over"
            }
        return [
            "boxName": self.name(code.box.name ?? code.box.model), "beginning": .text(code.beginning),
            "handle": .text(code.handle), "state": .text(state), "requestor": .text(code.requestor.text),
            "box": .text(code.device.handle.description),
            "model": .foreign(code.box.model.flatMap { ForeignText($0) }),
            "age": .text(OperatorConsole.span(now - code.generated)),
            "left": .text(OperatorConsole.span(code.expires - now)),
        ]
    }

    static func permit(_ permit: AuthZRecord, now: Timestamp) -> TemplateValues {
        [
            "resource": .foreign(ForeignText(permit.resource.text, limit: 120)),
            "requestor": .text(permit.requestor.text), "given": ConsoleTime.value(permit.created),
            "ends": ConsoleTime.end(permit.expires, now: now),
        ]
    }

    static func name(_ label: String?) -> TemplateValue {
        label.flatMap { ForeignText($0) }.map { .foreign($0) } ?? .text("Unnamed box")
    }

    /// The sign-ins of boxes that were ended: when, by whom and why.
    static func ended(_ boxes: [SignedInBox]) -> TemplateValue {
        .list(boxes.flatMap { box in box.ended.map { (box, $0) } }) { box, signIn in
            [
                "box": .text(box.name), "requestor": .text(signIn.requestor.text), "mvpd": .text(signIn.mvpd.text),
                "when": ConsoleTime.value(signIn.end.time), "why": .text(signIn.end.sentence),
            ]
        }
    }

    static func signIns(_ records: [AuthNRecord], now: Timestamp) -> TemplateValue {
        .list(records) { record in
            [
                "requestor": .text(record.requestor.text), "mvpd": .text(record.mvpd.text),
                "viewer": .text(String(record.userID.prefix(16))), "since": ConsoleTime.value(record.created),
                "ends": ConsoleTime.end(record.expires, now: now),
            ]
        }
    }

    static func credential(
        _ used: UsedCredential, of box: SignedInBox, _ operator: OperatorConsole.Operator
    ) -> TemplateValues {
        [
            "box": .text(box.name), "credential": .text(used.credential.text), "words": .text(used.credential.words),
            "label": .optional(used.label), "sentence": .text(used.sentence),
            "mayBeRevoked": .flag(used.isInUse && `operator`.mayRevoke),
        ]
    }

    static func entry(_ entry: AuditEntry) -> TemplateValues {
        // An operator finds the box behind the name that entries and log lines have for it.
        let box = entry.subject.firstMatch(of: /^(?:record [0-9a-f-]+, )?device ([0-9a-f]{8}-[0-9a-f]{8})$/)?.1
        return [
            "when": ConsoleTime.value(entry.time), "what": .text(Self.words(for: entry.action)),
            "subject": .text(entry.subject), "actor": .text(entry.actor),
            "box": .optional(box.map { String($0) }),
        ]
    }

    /// An action in words; one that has none here as the log calls it.
    private static func words(for action: String) -> String {
        let parts = action.split(separator: ".", maxSplits: 1).map { String($0.replacing("-", with: " ")) }
        guard parts.count == 2 else { return action }
        let verbs = [
            "add": "added", "cancel": "cancelled", "channels": "given other channels", "create": "made",
            "delete": "removed", "edit": "changed", "end": "ended", "passwd": "given another password",
            "remove": "removed", "reset": "reset", "revoke": "revoked", "rotate": "replaced", "sign out": "signed out",
            "use": "used", "confirm": "confirmed", "metadata": "given other metadata",
            "end again": "ended again after a restore", "counted back": "counted back",
        ]
        let subject = parts[0] == "records" || parts[0] == "record" ? "sign-ins of a box" : parts[0]
        return verbs[parts[1]].map { "\(subject) \($0)" } ?? action
    }
}

enum ConsoleTime {
    /// `2026-01-31 20:00:00 UTC`.
    static func value(_ moment: Timestamp) -> TemplateValue {
        let text = moment.timeText
        return .html(
            HTML(unescaped: "<time datetime=\"\(text)\">\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC</time>"))
    }

    /// When something ends, or that it did.
    static func end(_ moment: Timestamp, now: Timestamp) -> TemplateValue {
        let span = OperatorConsole.span(now < moment ? moment - now : now - moment)
        return .text(now < moment ? "in \(span)" : "over for \(span)")
    }
}

extension OperatorConsole {
    /// A span in its largest unit, rounded down: `3 min`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeMilliseconds / 1000)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
