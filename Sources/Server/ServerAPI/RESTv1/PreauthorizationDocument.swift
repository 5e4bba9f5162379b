import Clientless
import Entitlement
import HTTPServer

/// The resources that may be played, to show locks (rest-v1 17).
enum Preauthorization {
    typealias Verdicts = (resources: [Resource], verdicts: [Verdict], style: ErrorStyle)

    private static let verdict = Shape<(resource: Resource, verdict: Verdict, style: ErrorStyle)>(
        .init("id", \.resource.received, APIField.resourceText), .init("authorized", \.verdict.isPermit),
        .init("error", optional: { error(of: $0.verdict, $0.style) }, .named("EnhancedError")))

    /// XML has the items below the root, without a list around them.
    static let shape = Shape<Verdicts>(
        .init("resources", of: verdict, { items($0) }).inJSON,
        .init("resource", of: verdict, { items($0) }).inXML)

    private static func items(
        _ all: Verdicts
    ) -> [(resource: Resource, verdict: Verdict, style: ErrorStyle)] {
        zip(all.resources, all.verdicts).map { ($0, $1, all.style) }
    }

    /// Why one resource is not permitted, for those who want to know; the members in the order of rest-v1 17.
    private static func error(of verdict: Verdict, _ style: ErrorStyle) -> JSONValue? {
        guard case .enhanced(let help, let trace) = style, case .deny(let reason) = verdict.decision
        else { return nil }
        let code = ErrorCode(verdict.denial)
        return .members([
            "status": 403, "code": .string(code.rawValue), "message": "User not authorized",
            "details": reason.map { .string($0.text) }, "helpUrl": .string(help), "trace": .string(trace.description),
            "action": .string(code.action.rawValue),
        ])
    }
}

extension WireDocument {
    static func preauthorization(
        _ verdicts: [Verdict], on resources: [Resource], _ style: ErrorStyle
    ) -> WireDocument {
        WireDocument("resources", Preauthorization.shape, (resources, verdicts, style))
    }
}
