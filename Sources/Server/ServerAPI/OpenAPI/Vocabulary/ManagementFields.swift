import Clientless
import Entitlement

// Fields of management (rest-v1 20.5, 25).
extension APIField {
    /// A variable of a path that only management has.
    static func inManagementPath(_ name: String) -> APIField {
        switch name {
        case "mediaCompany":
            .required(name, .text(1...120), "A name above requestors; it has no meaning here.")
        case "rule": .required(name, .choice("authnAll", "authzAll", "authzNone"), "The kind of rule.")
        case "id": .required(name, .text(pattern: "^[0-9a-f]{32}$"), "The sign-in, as the records name it.")
        case let name where name.hasPrefix("dimension"):
            .required(
                name, .choice(of: MonitoringQuestion.Dimension.allCases.map(\.rawValue)),
                "The fields that make a row; each once, those of time from the year on in their order.")
        case "publicKey": .required(name, .text(1...128), "The public key of a pair.")
        case "softwareId": .required(name, .text(1...128), "The software ID of an application.")
        case "clientId": .required(name, .text(1...128), "The client ID of an installation.")
        default: preconditionFailure("the description has no words for the path variable \(name)")
        }
    }

    static let resetRequestor = required("requestor_id", requestorName, "The channel brand.")
    static let resetProvider = required("mvpd_id", mvpdName, "The trial.")

    static let endedRequestor = optional(
        "requestor", requestorName, "The channel brand that obtained them; all that the caller manages when left out.")
    static let endedUser = optional(
        "viewer", .text(0...128), "The viewer, by the pseudonym that records and tokens have.")
    static let endedCode = optional("code", .text(0...32), "The registration code that they were obtained through.")
    static let endedProvider = optional("provider", .text(0...64), "The provider.")
    static let endedSince = optional(
        "since", .text(0...16, pattern: "^[0-9]*$"), "Made at this moment or later, in milliseconds since 1970.")
    static let endedUntil = optional(
        "until", .text(0...16, pattern: "^[0-9]*$"), "Made before this moment, in milliseconds since 1970.")

    static let auditSince = optional(
        "since", .text(0...16, pattern: "^[0-9]*$"), "Changes from this moment on, in milliseconds since 1970.")
    static let auditUntil = optional(
        "until", .text(0...16, pattern: "^[0-9]*$"), "Changes before this moment, in milliseconds since 1970.")
    static let auditSubject = optional(
        "subject", .text(0...AuditSelection.longestPart),
        "A part of the subject, in any case of its ASCII letters, such as a box's sixteen digits.")
    static let auditActor = optional(
        "actor", .text(0...AuditSelection.longestPart), "A part of the actor, in the same way.")

    static let programmer = required("programmer", requestorName, "The channel brand.")
    static let openProgrammer = optional(
        "programmer", requestorName, "The channel brand; all that the caller manages when left out.")
    static let degradedProvider = optional("mvpd", .text(0...64), "The provider; every one when left out.")
    static let degradedResource = optional(
        "resource", .text(0...8192), "A resource the rule is about; repeated for more than one.")
    static let degradedChannel = optional("channel", .text(0...8192), "The same as `resource`.")
}
