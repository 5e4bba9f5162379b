import Clientless

// Answers of the SDK services, in XML whatever was asked for (sdk-services 1).
extension APIAnswer {
    private static let refusal = [Content.xml(.named("Refusal"))]

    /// Success, or that the presented token is no more.
    static func sdk(_ text: String, _ schemas: String..., headers: [Header] = []) -> APIAnswer {
        APIAnswer(
            200, text, [.xml(.any(of: (schemas + ["PendingLogout"]).map { .named($0) }))],
            headers: headers + [.signInEnding])
    }

    /// The same in JSON; that the token is no more is XML all the same.
    static func sdkInJSON(_ text: String, _ schema: JSONSchema, headers: [Header] = []) -> APIAnswer {
        APIAnswer(200, text, [.json(schema), .xml(.named("PendingLogout"))], headers: headers + [.signInEnding])
    }

    /// A refusal, beside those any call may get.
    static func sdkRefusal(_ status: Int, _ text: String) -> APIAnswer { APIAnswer(status, text, refusal) }

    static let sdkExpired = sdkRefusal(410, "`N130`, or the decision: what was presented is over.")

    /// The answers that any call about a device may give.
    /// - Parameter forbidden: what makes it 403 beside the credential.
    static func sdkFailures(forbidden: String? = nil) -> [APIAnswer] {
        let credential = "`SEC403`: the credential may not speak for this requestor."
        return [
            sdkRefusal(400, "A parameter is missing or of no use; the message names it."), sdkUnauthorized,
            sdkRefusal(403, forbidden.map { "\($0) Or \(credential)" } ?? credential), sdkTooManyRequests,
            sdkServerError, sdkUnavailable,
        ]
    }

    private static let sdkUnauthorized = APIAnswer(
        401,
        "The credential is missing or no good; `N000`: not signed in; `N130`: not a token of this service; "
            + "`SEC412`: of another device.", refusal, headers: [.challenge], component: "RefusedCaller")
    private static let sdkTooManyRequests = APIAnswer(
        429, "Too many calls.", refusal, headers: [.retryAfter], component: "RefusedForNow")
    private static let sdkServerError = APIAnswer(
        500, "The server's own fault; its log names the request.", refusal, component: "RefusedByFault")
    private static let sdkUnavailable = APIAnswer(
        503, "The store does not answer.", refusal, headers: [.retryAfter], component: "RefusedWithoutStore")

    static let sdkComponents = [sdkUnauthorized, sdkTooManyRequests, sdkServerError, sdkUnavailable]
}

// Fields of the SDK services (sdk-services 1).
extension APIField {
    static let sdkRequestor = optional(
        "requestor_id", requestorName,
        "The channel brand; `requestor` is the same. Without it the credential's own counts, if it has only one.")
    static let sdkDevice = optional("device_id", .text(0...512), "The device, if the header `ap_21` does not name it.")
    static let sdkProvider = required("mso_id", mvpdName, "The provider.")
    static let sdkOptionalProvider = optional("mso_id", .text(0...64), "The provider; the token says it, too.")
    static let sdkToken = required(
        "authentication_token", .text(1...65_536), "The AuthN document, as `session` returned it.")
    static let sdkMetadata = optional("userMeta", .text(0...16), "`1` asks for user metadata as well.")

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
