import Clientless
import Entitlement

// Fields that many operations take (rest-v1 3.5, 4, 6.1).
extension APIField {
    private static let identifierPattern = "^[A-Za-z0-9_-]{1,64}$"
    /// No control characters.
    private static let printable = #"^[^\u0000-\u001f\u007f-\u009f]*$"#

    static let requestorName = JSONSchema.text(1...64, pattern: identifierPattern)
    static let mvpdName = JSONSchema.text(1...64, pattern: identifierPattern)
    /// The free-form texts of older clients.
    static let shortText = JSONSchema.text(0...256, pattern: printable)
    static let resourceText = JSONSchema.text(1...8192)

    static func inPath(_ name: String) -> APIField {
        switch name {
        case "requestor": .required(name, requestorName, "A channel brand. Case counts.")
        case "mvpd": .required(name, mvpdName, "A TV provider.")
        case "code":
            .required(
                name, .text(6...32, pattern: "^[A-Za-z0-9 -]{6,32}$"),
                "A registration code: six to eight letters and digits in any case; spaces and hyphens do not count.")
        default: self.inManagementPath(name)
        }
    }

    static let format = optional(
        "format", .choice("json", "xml"), "The form of the answer; a suffix of the path comes first.",
        component: .query)

    static let deviceID = required(
        "deviceId", .text(1...512, pattern: printable),
        "The device: 1 to 512 bytes of UTF-8 without control characters, compared byte for byte.",
        component: .query)

    static let requestor = optional(
        "requestor", requestorName,
        "The channel brand; `requestor_id` is the same. Without it the credential's own counts, if it has only one.",
        component: .query)

    static let mandatoryRequestor = required(
        "requestor", requestorName, "The channel brand; `requestor_id` is the same.")

    static let resource = required(
        "resource", resourceText,
        "A resource: a name agreed with the provider, or an MRSS fragment; at most 8192 bytes of UTF-8.",
        component: .query)

    static let genericData = optional(
        "generic_data", .text(0...4096),
        "The person of a promotional trial: a JSON object with one configured key; `(…)` stands for `{…}`.",
        component: .query)

    private static let deviceInformation = optional(
        "device_info", .text(0...8192), "The same as the header `X-Device-Info`, which comes first.",
        component: .query)
    private static let deviceType = optional(
        "deviceType", shortText, "Deprecated. Such as `settop`.", component: .query)
    private static let deviceUser = optional(
        "deviceUser", shortText, "Deprecated. A part of the device; later calls repeat it.", component: .query)
    private static let appID = optional(
        "appId", shortText, "Deprecated. An application of the device that shares its sign-in with no other.",
        component: .query)

    /// The fields that every call of a device may have.
    static let device: [APIField] = [requestor, deviceID] + deviceDetails
    /// The same without the requestor, which the path has.
    static let deviceOfPath: [APIField] = [deviceID] + deviceDetails
    static let deviceDetails: [APIField] = [deviceInformation, deviceType, deviceUser, appID, format]

    static let deviceInformationHeader = optional(
        "X-Device-Info", .text(0...8192),
        "The device information: Base64 of a flat JSON object. The server ignores a value that it cannot read.",
        component: .header)

    static let forwardedFor = optional(
        "X-Forwarded-For", .text(0...1024),
        "The device's address, from proxies and servers the operator trusts; ignored from all others.",
        component: .header)

    static let prefer = optional(
        "Prefer", .text(0...1024),
        "`wait=N` holds the answer until it changes or N seconds, at most 55, have passed (RFC 7240).",
        component: .header)

    static let components =
        [format, deviceID, requestor, resource, genericData, deviceInformation, deviceType, deviceUser, appID]
        .map { (field: $0, place: Place.query) }
        + (sdkHeaders + [prefer]).map { (field: $0, place: Place.header) }

    static let deviceHeaders = [deviceInformationHeader, forwardedFor]
}

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
    static let degradedProvider = optional(
        "mvpd", .text(0...64), "The provider; repeated for more than one, every one when left out.")
    static let degradedResource = optional(
        "resource", .text(0...8192), "A resource the rule is about; repeated for more than one.")
    static let degradedChannel = optional("channel", .text(0...8192), "The same as `resource`.")
}
