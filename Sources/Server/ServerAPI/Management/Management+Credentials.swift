import Entitlement
import HTTPServer

// `/management/v1/key-pairs/{publicKey}`, `/management/v1/applications/{softwareId}` and
// `/management/v1/clients/{clientId}`: ending what callers prove themselves with. A caller ends only what speaks for no
// other requestors than its own.
extension Management {
    static let credentialEndpoints: [Endpoint<Management>] = [
        // Done also for one that had ended: it is then no longer accepted, as was asked for.
        ending(
            "/management/v1/key-pairs/{publicKey}", "revokeKeyPair", name: "management-key-pair", .credentials,
            "Revoke a key pair"
        ) { face, managed in
            try await face.domain.credentials.revokeKeyPair(
                managed.call.request.segment("publicKey"), within: managed.caller.remit, actor: managed.caller.actor,
                now: managed.call.now) != nil
        },
        ending(
            "/management/v1/applications/{softwareId}", "revokeApplication", name: "management-application",
            .credentials, "Revoke an application and all its installations"
        ) { face, managed in
            try await face.domain.credentials.revokeApplication(
                managed.call.request.segment("softwareId"), within: managed.caller.remit,
                actor: managed.caller.actor, now: managed.call.now) != nil
        },
        // Not there also where its application ended: nothing of it is accepted any more.
        ending(
            "/management/v1/clients/{clientId}", "revokeClient", name: "management-client", .credentials,
            "Revoke one installation of an application"
        ) { face, managed in
            try await face.domain.credentials.revokeClient(
                managed.call.request.segment("clientId"), within: managed.caller.remit, actor: managed.caller.actor,
                now: managed.call.now)
        },
    ]
}
