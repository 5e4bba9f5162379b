import Clientless
import Entitlement
import HTTPServer

// `/management/v1/key-pairs/{publicKey}`, `/management/v1/applications/{softwareId}` and
// `/management/v1/clients/{clientId}`: ending what callers prove themselves with. A caller ends only what speaks for no
// other requestors than its own.
extension Management {
    static let credentialEndpoints: [Endpoint<Management>] = [
        endpoint(
            .delete, "/management/v1/key-pairs/{publicKey}", "revokeKeyPair", name: "management-key-pair",
            .credentials, "Revoke a key pair", limits: .devices, bodyLimit: .page, fields: [.format],
            answers: [.done, .notThere] + APIAnswer.managementFailures
        ) { try await $0.revokeKeyPair($1.call, $1.caller) },
        endpoint(
            .delete, "/management/v1/applications/{softwareId}", "revokeApplication", name: "management-application",
            .credentials, "Revoke an application and all its installations", limits: .devices, bodyLimit: .page,
            fields: [.format],
            answers: [.done, .notThere] + APIAnswer.managementFailures
        ) { try await $0.revokeApplication($1.call, $1.caller) },
        endpoint(
            .delete, "/management/v1/clients/{clientId}", "revokeClient", name: "management-client",
            .credentials, "Revoke one installation of an application", limits: .devices, bodyLimit: .page,
            fields: [.format], answers: [.done, .notThere] + APIAnswer.managementFailures
        ) { try await $0.revokeClient($1.call, $1.caller) },
    ]

    /// 204 also for one that had ended: it is then no longer accepted, as was asked for.
    private func revokeKeyPair(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let pair = try await self.domain.credentials.revokeKeyPair(
            call.request.segment("publicKey"), within: caller.remit, actor: caller.actor, now: call.now)
        guard pair != nil else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    private func revokeApplication(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let application = try await self.domain.credentials.revokeApplication(
            call.request.segment("softwareId"), within: caller.remit, actor: caller.actor, now: call.now)
        guard application != nil else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    /// 404 also for a client whose application ended: nothing of it is accepted any more.
    private func revokeClient(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let isGone = try await self.domain.credentials.revokeClient(
            call.request.segment("clientId"), within: caller.remit, actor: caller.actor, now: call.now)
        guard isGone else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }
}
