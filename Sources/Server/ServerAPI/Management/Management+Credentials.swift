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
        let publicKey = call.request.segment("publicKey")
        guard let key = self.domain.credentials.key(publicKey), !key.requestors.isEmpty,
            key.requestors.isSubset(of: caller.requestors),
            try await self.domain.credentials.revokeKeyPair(key.publicKey, actor: caller.actor, now: call.now) != nil
        else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    private func revokeApplication(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let softwareID = call.request.segment("softwareId")
        guard let application = self.domain.credentials.application(softwareID),
            !application.requestors.isEmpty, caller.requestors.isSuperset(of: application.requestors),
            try await self.domain.credentials.revokeApplication(
                application.softwareID, actor: caller.actor, now: call.now) != nil
        else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    /// 404 also for a client whose application ended: nothing of it is accepted any more.
    private func revokeClient(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let clientID = call.request.segment("clientId")
        guard case .active(let client) = try await self.domain.credentials.client(clientID, at: call.now),
            !client.application.requestors.isEmpty,
            caller.requestors.isSuperset(of: client.application.requestors),
            try await self.domain.credentials.revokeClient(
                client.record.clientID, actor: caller.actor, now: call.now)
        else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }
}
