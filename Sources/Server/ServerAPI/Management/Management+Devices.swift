import Clientless
import Entitlement
import HTTPServer

// `/management/v1/devices/records` and `/management/v1/sign-ins/{id}`: what is kept of a device, without
// anything that would let a reader act as it.
extension Management {
    private static let records = "/management/v1/devices/records"

    private typealias Records = (signIns: [AuthNRecord], permits: [AuthZRecord])

    static let deviceEndpoints: [Endpoint<Management>] = [
        // `deviceId` is a parameter: it may hold any text, and paths are more often written down.
        endpoint(
            .get, records, "listDeviceRecords", name: "management-device-records", .devices,
            "List the sign-ins and permits of a device", fields: [.deviceID],
            answer: ("The records.", "deviceRecords"),
            Shape<Records>(
                .init("signIns", of: Shapes.signIn, \.signIns),
                .init("permits", of: Shapes.permit, \.permits))
        ) { face, managed in
            let (device, remit) = (try managed.call.deviceID(), managed.caller.remit)
            return (
                try await face.domain.operations.records(of: device, within: remit),
                try await face.domain.operations.decisions(of: device, within: remit)
            )
        },
        endpoint(
            .delete, records, "deleteDeviceRecords", name: "management-device-records", .devices,
            "Sign a device out", fields: [.deviceID], answers: [.done]
        ) { try await $0.deleteDeviceRecords($1.call, $1.caller) },
        ending(
            "/management/v1/sign-ins/{id}", "endSignIn", name: "management-sign-in", .devices, "End a sign-in"
        ) { try await $0.endSignIn($1.call, $1.caller) },
    ]

    /// Signs the device out of the requestors the caller manages. 204 also when it was signed in nowhere.
    private func deleteDeviceRecords(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        for record in try await self.domain.operations.records(of: try call.deviceID(), within: caller.remit) {
            _ = try await self.domain.operations.deleteRecord(record.id, actor: caller.actor, now: call.now)
        }
        return Answer.empty(.noContent)
    }

    /// A record of a requestor the caller does not manage is, to the caller, not there.
    private func endSignIn(_ call: Call, _ caller: ManagementCaller) async throws -> Bool {
        let id = AuthNID(text: call.request.segment("id"))
        guard id.text.utf8.count == 32, id.text.utf8.allSatisfy(\.isLetterOrDigit) else { return false }
        return try await self.domain.operations.deleteRecord(
            id, within: caller.remit, actor: caller.actor, now: call.now) != nil
    }
}

// `/management/v1/sign-ins/end`: ending the sign-ins of a viewer, of a code, of a requestor, of a period. A body has
// the selection: proxies write paths and queries down, where viewers and codes do not belong.
extension Management {
    static let signInEndpoints: [Endpoint<Management>] = [
        endpoint(
            .post, "/management/v1/sign-ins/end", "endSignIns", name: "management-sign-ins-end", .devices,
            "End many sign-ins, with their permits",
            "Ends what all the given fields hold for, among the sign-ins that the caller's requestors obtained. At least "
                + "one field is needed. The boxes learn of it with their next poll.",
            fields: [.endedRequestor, .endedUser, .endedCode, .endedProvider, .endedSince, .endedUntil],
            answer: ("How many ended.", "endedSignIns"), Shape(.init("ended", \.self))
        ) { try await $0.endSignIns($1.call, $1.caller) }
    ]

    private func endSignIns(_ call: Call, _ caller: ManagementCaller) async throws -> Int {
        let catalogue = self.domain.catalogue
        var selection = try await self.selection(call, catalogue)
        if call.parameters["requestor"]?.isEmpty ?? true {
            guard selection != .all else { throw WireError.missing("requestor") }
        } else {
            selection.requestor = try caller.requestor("requestor", in: call, catalogue)
        }
        return try await self.domain.operations.endSignIns(
            selection, within: caller.remit, actor: caller.actor, now: call.now)
    }

    /// The selection besides the requestor.
    private func selection(_ call: Call, _ catalogue: Catalogue) async throws -> AuthNSelection {
        var question = SignInQuestion()
        question.pseudonym = try call.optional("viewer", atMost: 128)
        question.provider = try call.optional("provider", atMost: 64)
        question.code = try call.optional("code", atMost: 64)
        question.since = try Self.momentInMilliseconds("since", call)
        question.before = try Self.momentInMilliseconds("until", call)
        do throws(SignInQuestion.Fault) {
            return try await self.domain.operations.selection(question, catalogue)
        } catch {
            switch error {
            case .field(let field): throw WireError.invalid(field.rawValue)
            case .domain(let error): throw error
            }
        }
    }

    /// A moment in milliseconds, as everywhere on this wire (rest-v1 3.9).
    static func momentInMilliseconds(_ name: String, _ call: Call) throws(WireError) -> Timestamp? {
        guard let text = try call.optional(name, atMost: 16) else { return nil }
        guard let milliseconds = Int64(text), milliseconds >= 0 else { throw .invalid(name) }
        return Timestamp(milliseconds: milliseconds)
    }
}

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
