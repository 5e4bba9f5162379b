import Clientless
import Entitlement
import HTTPServer

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
