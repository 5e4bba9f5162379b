import Clientless
import Entitlement
import HTTPServer

// `/management/v1/audit`: who changed what, newest first.
extension Management {
    private static let limits: ClosedRange<Int> = 1...1000
    private static let defaultLimit = 100

    static let auditEndpoints: [Endpoint<Management>] = [
        endpoint(
            .get, "/management/v1/audit", "readAuditLog", name: "management-audit", .audit, "Read who changed what",
            "The newest of those that are selected, newest first. For callers that manage every requestor; `credentials:owner` opens it, too.",
            fields: [
                .optional("limit", .text(0...4, pattern: "^[0-9]*$").standard(.string("100")), "From 1 to 1000."),
                .auditSince, .auditUntil, .auditSubject, .auditActor,
            ], answer: ("The entries.", "audit"), Shape(.init("entries", of: Shapes.auditEntry) { $0 })
        ) { try await $0.auditLog($1.call, $1.caller) }
    ]

    /// The log is one for all requestors, so only a caller that manages all of them may read it.
    private func auditLog(_ call: Call, _ caller: ManagementCaller) async throws -> [AuditEntry] {
        guard caller.remit.coversAll(of: self.domain.catalogue) else { throw WireError.clientRefused }
        let limit = try call.number("limit") ?? Self.defaultLimit
        guard Self.limits.contains(limit) else { throw WireError.invalid("limit") }
        return try await self.domain.operations.auditEntries(try Self.auditSelection(call), limit: limit)
    }

    private static func auditSelection(_ call: Call) throws(WireError) -> AuditSelection {
        var selection = AuditSelection()
        selection.since = try Self.momentInMilliseconds("since", call)
        selection.until = try Self.momentInMilliseconds("until", call)
        selection.subject = try call.optional("subject", atMost: AuditSelection.longestPart)
        selection.actor = try call.optional("actor", atMost: AuditSelection.longestPart)
        return selection
    }
}
