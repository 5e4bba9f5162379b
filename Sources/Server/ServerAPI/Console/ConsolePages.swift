import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer

/// A page of the console: a template of `web/console` and its values.
protocol ConsolePage: Page {
    /// Its place in the navigation; `nil` on one that has none.
    var path: String? { get }
    var status: HTTPStatus { get }
}

extension ConsolePage {
    var path: String? { nil }
    var status: HTTPStatus { .ok }
}

/// The paths of the console's pages.
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

/// The words for something that is not as it should be.
struct ConsoleProblemPage: ConsolePage {
    static let template = "problem"

    let heading: String
    let sentence: String
    let status: HTTPStatus

    var values: TemplateValues { ["heading": .text(self.heading), "sentence": .text(self.sentence)] }
}

struct ConsoleSignInPage: ConsolePage {
    static let template = "sign-in"

    let token: FormToken
    /// Why signing in failed; `nil` at first.
    var refusal: String?
    var status = HTTPStatus.ok

    var values: TemplateValues {
        ["formToken": .text(self.token.text), "refusal": .optional(self.refusal)]
    }
}

/// The boxes that are signed in, by box, viewer, requestor and provider.
struct ConsoleBoxesPage: ConsolePage {
    static let template = "boxes"
    /// The most boxes that are listed.
    static let mostBoxes = 100
    /// The most ended sign-ins.
    static let mostEnded = 30

    /// The question of the form, as it was typed; empty texts ask for nothing.
    struct Question: Sendable {
        /// In bytes of UTF-8.
        static let longest = 128

        let box, viewer, requestor, provider: String

        init(_ form: HTTPParameters?) {
            func field(_ name: String) -> String { form?[name] ?? "" }
            (self.box, self.viewer) = (field("box"), field("viewer"))
            (self.requestor, self.provider) = (field("requestor"), field("provider"))
        }
    }

    let question: Question
    /// The faults of the question; then there are no boxes.
    let fault: String?
    let boxes: [SignedInBox]
    let hasMore: Bool
    /// Boxes whose sign-ins were ended lately.
    let ended: [SignedInBox]
    let catalogue: Catalogue
    let searching: FormToken
    let ending: FormToken
    /// The result of the last form.
    let notice: String?
    let now: Timestamp

    var path: String? { ConsolePath.boxes }
    var status: HTTPStatus { self.fault == nil ? .ok : .badRequest }

    var values: TemplateValues {
        [
            "notice": .optional(self.notice), "fault": .optional(self.fault),
            "formToken": .text(self.searching.text), "endToken": .text(self.ending.text),
            "askedBox": .text(self.question.box), "askedViewer": .text(self.question.viewer),
            "requestors": Self.choices(self.catalogue.requestors.map(\.id.text), self.question.requestor),
            "choices": Self.choices(self.catalogue.mvpds.map(\.id.text), self.question.provider),
            "boxes": .list(self.boxes, self.values(of:)),
            "hasMore": .flag(self.hasMore), "ended": ConsoleValue.ended(self.ended),
        ]
    }

    private func values(of box: SignedInBox) -> TemplateValues {
        [
            "boxName": ConsoleValue.name(box.label), "box": .text(box.name),
            "signIns": ConsoleValue.signIns(box.signIns, now: self.now),
        ]
    }

    private static func choices(_ all: [String], _ asked: String) -> TemplateValue {
        .list(all) { ["id": .text($0), "isAsked": .flag($0 == asked)] }
    }
}

/// One box: its sign-ins and permits, what was changed about it, and why it may play something or not.
struct ConsoleBoxPage: ConsolePage {
    static let template = "box"
    /// The most permits and changes that are listed.
    static let mostRows = 100

    let box: SignedInBox
    let credentials: [UsedCredential]
    let permits: [AuthZRecord]
    let entries: [AuditEntry]
    let channel: String
    /// The faults of the channel.
    let fault: String?
    let explanation: OperatorConsole.Explanation?
    let ending: FormToken
    let now: Timestamp

    var path: String? { ConsolePath.boxes }
    var status: HTTPStatus { self.fault == nil ? .ok : .badRequest }

    var values: TemplateValues {
        [
            "boxName": ConsoleValue.name(self.box.label), "box": .text(self.box.name),
            "model": .foreign(self.box.model.flatMap { ForeignText($0) }), "endToken": .text(self.ending.text),
            "signIns": ConsoleValue.signIns(self.box.signIns, now: self.now), "ended": ConsoleValue.ended([self.box]),
            "credentials": .list(self.credentials) { ConsoleValue.credential($0, of: self.box) },
            "channel": .text(self.channel), "fault": .optional(self.fault),
            "steps": .list(self.explanation?.steps ?? []) { ["step": .text($0.step), "answer": .text($0.answer)] },
            "verdict": .text(self.verdict),
            "mayPlay": .flag(self.explanation?.mayPlay != false),
            "permits": .list(self.permits.prefix(Self.mostRows), self.values(of:)),
            "entries": .list(self.entries, ConsoleValue.entry),
        ]
    }

    private var verdict: String {
        switch self.explanation?.mayPlay {
        case true?: "It may play."
        case false?: "It may not play."
        case nil: "Only the TV provider knows."
        }
    }

    private func values(of permit: AuthZRecord) -> TemplateValues {
        [
            "resource": .foreign(ForeignText(permit.resource.text, limit: 120)),
            "requestor": .text(permit.requestor.text), "given": ConsoleTime.value(permit.created),
            "ends": ConsoleTime.end(permit.expires, now: self.now),
        ]
    }
}

/// Asks before a credential of a box is taken out of use.
struct ConsoleRevokePage: ConsolePage {
    static let template = "revoke"

    let box: SignedInBox
    let used: UsedCredential
    let token: FormToken

    var path: String? { ConsolePath.boxes }

    var values: TemplateValues {
        ConsoleValue.credential(self.used, of: self.box).filled(by: ["formToken": .text(self.token.text)])
    }
}

/// The changes by operators, the newest first.
struct ConsoleAuditPage: ConsolePage {
    static let template = "audit"
    /// The most entries that are listed.
    static let mostEntries = 200

    /// The question of the form, as it was typed; empty texts ask for nothing.
    struct Question: Sendable {
        struct Field: Sendable {
            let name: String
            let label: String
            /// In bytes.
            let longest: Int
            let text: String

            init(_ name: String, _ label: String, _ longest: Int, _ form: HTTPParameters?) {
                self.name = name
                self.label = label
                self.longest = longest
                self.text = form?[name] ?? ""
            }
        }

        let fields: [Field]

        init(_ form: HTTPParameters?) {
            self.fields = [
                Field("subject", "Subject", AuditSelection.longestPart, form),
                Field("actor", "By", AuditSelection.longestPart, form), Field("since", "From", 20, form),
                Field("until", "Before", 20, form),
            ]
        }

        /// - Throws: what is wrong with it, as a sentence for the operator.
        func selection() throws(ConsoleFault) -> AuditSelection {
            var selection = AuditSelection()
            for field in self.fields where !field.text.isEmpty {
                guard field.text.utf8.count <= field.longest
                else { throw ConsoleFault(sentence: "“\(field.label)” is too long.") }
                switch field.name {
                case "subject": selection.subject = field.text
                case "actor": selection.actor = field.text
                default:
                    guard let moment = CivilTime.moment(field.text) else {
                        throw ConsoleFault(
                            sentence: "“\(field.label)” takes a day or a time in UTC, such as 2026-01-31 or "
                                + "2026-01-31T20:00.")
                    }
                    if field.name == "since" { selection.since = moment } else { selection.until = moment }
                }
            }
            return selection
        }
    }

    let question: Question
    /// The faults of the question; then there are no entries.
    let fault: String?
    let entries: [AuditEntry]
    let searching: FormToken

    var path: String? { ConsolePath.audit }
    var status: HTTPStatus { self.fault == nil ? .ok : .badRequest }

    var values: TemplateValues {
        [
            "fault": .optional(self.fault), "formToken": .text(self.searching.text),
            "fields": .list(self.question.fields) { field in
                [
                    "name": .text(field.name), "label": .text(field.label), "value": .text(field.text),
                    "longest": .number(field.longest),
                ]
            },
            "entries": .list(self.entries, ConsoleValue.entry),
            "isCut": .flag(self.entries.count == Self.mostEntries), "longestList": .number(Self.mostEntries),
        ]
    }
}

/// Why a question cannot be answered, as a sentence for the operator.
struct ConsoleFault: Error {
    let sentence: String
}

/// Values that several pages have.
enum ConsoleValue {
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

    static func credential(_ used: UsedCredential, of box: SignedInBox) -> TemplateValues {
        [
            "box": .text(box.name), "credential": .text(used.credential.text), "words": .text(used.credential.words),
            "label": .optional(used.label), "sentence": .text(used.sentence), "isInUse": .flag(used.isInUse),
        ]
    }

    static func entry(_ entry: AuditEntry) -> TemplateValues {
        // An operator finds the box behind the name that entries and log lines have for it.
        let box = entry.subject.firstMatch(of: /^device ([0-9a-f]{8}-[0-9a-f]{8})$/)?.1
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

/// Moments as the console writes them.
enum ConsoleTime {
    /// `2026-01-31 20:00:00 UTC`.
    static func value(_ moment: Timestamp) -> TemplateValue {
        let text = self.text(moment)
        return .html(
            HTML(unescaped: "<time datetime=\"\(text)\">\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC</time>"))
    }

    /// When something ends, or that it did.
    static func end(_ moment: Timestamp, now: Timestamp) -> TemplateValue {
        now < moment ? .text("in \(self.span(moment - now))") : .text("over for \(self.span(now - moment))")
    }

    /// `2026-01-31T20:00:00Z` (RFC 3339).
    static func text(_ moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.seconds)).formatted(.iso8601)
    }

    static func span(_ duration: Duration) -> String { OperatorConsole.span(duration) }
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
