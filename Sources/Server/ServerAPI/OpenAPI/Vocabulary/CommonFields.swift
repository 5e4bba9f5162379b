import Clientless

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

    /// Every parameter that is written once, in the components.
    static let components =
        [format, deviceID, requestor, resource, genericData, deviceInformation, deviceType, deviceUser, appID]
        .map { (field: $0, place: Place.query) }
        + (sdkHeaders + [prefer]).map { (field: $0, place: Place.header) }

    /// The headers of a device's call.
    static let deviceHeaders = [deviceInformationHeader, forwardedFor]
}
