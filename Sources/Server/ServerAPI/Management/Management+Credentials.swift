import Clientless
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

// `/management/v1/setup-codes`: one-time codes for new boxes.
extension Management {
    static let setUpEndpoints: [Endpoint<Management>] = [
        endpoint(
            .post, "/management/v1/setup-codes", "issueSetUpCode", name: "management-setup-codes", .credentials,
            "Make a one-time code that sets up a box",
            "A box that shows it within its time gets a key pair of the requestor, once. It is told this once.",
            fields: [
                .required("requestor", APIField.requestorName, "The channel brand that the box is for."),
                .optional(
                    "ttl", .text(0...9, pattern: "^[0-9]*$").standard(.string("3600")), "Seconds, 60 to 604800."),
            ], answer: ("The code.", "setUpCode"), Shapes.setUpCode
        ) { face, managed in
            let (call, caller) = (managed.call, managed.caller)
            let requestor = try caller.requestor("requestor", in: call, face.domain.catalogue)
            let issued = try await face.domain.setUpCodes.issue(
                for: requestor, lifetime: try lifetime(call), actor: caller.actor, now: call.now)
            return (issued, face.settings.publicURL)
        }
    ]

    private static func lifetime(_ call: Call) throws(WireError) -> Duration {
        guard let seconds = try call.number("ttl") else { return SetUpCodes.usualLifetime }
        guard SetUpCodes.lifetimes.contains(.seconds(seconds)) else { throw .invalid("ttl") }
        return .seconds(seconds)
    }
}
