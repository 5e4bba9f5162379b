import Clientless
import Entitlement
import HTTPServer

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
