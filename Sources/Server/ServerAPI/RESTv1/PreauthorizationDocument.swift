import Clientless
import Entitlement
import HTTPServer

extension WireDocument {
    /// The resources that may be played, to show locks (rest-v1 17).
    static func preauthorization(
        _ verdicts: [Verdict], on resources: [Resource], _ style: ErrorStyle
    ) -> WireDocument {
        let items = zip(resources, verdicts).map { resource, verdict -> WireValue in
            var members: [WireObject.Member] = [
                .init("id", .string(resource.received)), .init("authorized", .bool(verdict.isPermit)),
            ]
            if let error = self.error(of: verdict, style) { members.append(.init("error", .object(error))) }
            return .object(WireObject(members))
        }
        // XML has the items below the root, without a list around them.
        return WireDocument(
            "resources",
            WireObject([
                .init("resources", .array(items), only: .json),
                .init("resource", .array(items), only: .xml),
            ]))
    }

    /// Why one resource is not permitted, for those who want to know; the members in the order of rest-v1 17.
    private static func error(of verdict: Verdict, _ style: ErrorStyle) -> WireObject? {
        guard case .enhanced(let help, let trace) = style, case .deny(let reason) = verdict.decision
        else { return nil }
        let code = ErrorCode(verdict.denial)
        var members: [WireObject.Member] = [
            .init("status", .integer(403)), .init("code", .string(code.rawValue)),
            .init("message", .string("User not authorized")),
        ]
        if let reason { members.append(.init("details", .string(reason.text))) }
        return WireObject(
            members + [
                .init("helpUrl", .string(help)), .init("trace", .string(trace.description)),
                .init("action", .string(code.action.rawValue)),
            ])
    }
}
