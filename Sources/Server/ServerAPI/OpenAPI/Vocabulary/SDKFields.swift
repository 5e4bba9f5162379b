import Clientless

// Fields of the SDK services (sdk-services 1).
extension APIField {
    static let sdkRequestor = optional(
        "requestor_id", requestorName,
        "The channel brand; `requestor` is the same. Without it the credential's own counts, if it has only one.")
    static let sdkDevice = optional(
        "device_id", .text(0...512), "The device, if the header `ap_21` does not name it.")
    static let sdkProvider = required("mso_id", mvpdName, "The provider.")
    static let sdkOptionalProvider = optional("mso_id", .text(0...64), "The provider; the token says it, too.")
    static let sdkToken = required(
        "authentication_token", .text(1...65_536), "The AuthN document, as `session` returned it.")
    static let sdkMetadata = optional("userMeta", .text(0...16), "`1` asks for user metadata as well.")

    /// Every call about a device has them.
    static let sdkDeviceFields = [sdkRequestor, sdkDevice]

    static let sdkDeviceHeader = optional(
        "ap_21", .text(1...512), "The device, 1 to 512 bytes of UTF-8.", component: .header)
    static let sdkPass = optional(
        "pass_sfp", .text(0...1024), "The value that `indiv/devices` returned; it has to be this device's.",
        component: .header)
    static let sdkHeaders = [sdkDeviceHeader, sdkPass, deviceInformationHeader, forwardedFor]

    /// A part of the device (rest-v1 6.3).
    static let sdkContext: [APIField] = [
        optional("appId", shortText, "An application of the device that shares its sign-in with no other."),
        optional("deviceUser", shortText, "A part of the device."),
    ]
}
