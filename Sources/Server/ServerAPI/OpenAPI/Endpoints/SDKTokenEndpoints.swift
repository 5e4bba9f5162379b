import HTTPServer

// Devices, sessions, decisions and media tokens of the SDK services (sdk-services 2 to 5).
extension APIDescription {
    /// Both forms of every name's path (rest-v1 Appendix A).
    static func sdkCalls(_ names: String...) -> [APIEndpoint.Call] {
        names.flatMap { name in
            let title = name.prefix(1).uppercased() + name.dropFirst()
            return [
                APIEndpoint.Call(.post, "/adobe-services/\(name)", "sdk\(title)"),
                APIEndpoint.Call(.post, "/adobe-services/1.0/\(name)", "sdk1\(title)"),
            ]
        }
    }

    private static let sessionHeaders: [APIAnswer.Header] = [.codeState, .providerReason, .preferenceApplied]

    static let sdkTokenEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.post, "/indiv/devices", "individualiseDevice")], .sdk, .device, "Get a name for a device",
            "The same fingerprint gives the same name, always and on every node.", section: "sdk-services 2",
            headers: [.deviceInformationHeader],
            fields: [.required("fingerprint", .text(1...512), "What the device is known by; 1 to 512 bytes.")],
            body: .json,
            answers: [
                APIAnswer(
                    200, "The name.", [.json(.named("Device"))],
                    headers: [
                        .always(
                            "pass_sfp", .text(1...1024, pattern: "^[A-Za-z0-9_-]+$"),
                            "Proves that the device may have this name; later calls send it.")
                    ])
            ] + APIAnswer.sdkFailures()),
        APIEndpoint(
            sdkCalls("session", "sessionDevice"), .sdk, .device, "Pick up the token of a sign-in",
            "By the code that led to it, or without `reg_code` the one this device has at a provider.",
            section: "sdk-services 3", headers: APIField.sdkHeaders + [.prefer],
            fields: APIField.sdkDeviceFields + [
                .optional("_method", .choice("GET"), "Ignored."),
                .optional("reg_code", .text(0...32), "The code that is polled."), .sdkOptionalProvider,
            ] + APIField.sdkContext,
            answers: [
                .sdk("The token.", "AuthenticationResult", headers: sessionHeaders),
                .sdkRefusal(404, "Unknown, or another requestor's or device's.").adding(sessionHeaders),
                .sdkRefusal(410, "`N130`: over; `details` says how.").adding(sessionHeaders),
            ] + APIAnswer.sdkFailures()),
        APIEndpoint(
            sdkCalls("authorize", "authorizeDevice"), .sdk, .device, "Ask for a decision about a resource",
            "A refusal is 200 with an error document.", section: "sdk-services 4", headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [
                .required("resource_id", APIField.resourceText, "The resource; at most 8192 bytes of UTF-8."),
                .sdkToken, .sdkOptionalProvider, .sdkMetadata, .genericData,
            ],
            answers: [.sdk("Permitted or refused.", "AuthorizationResult", "Refusal"), .sdkExpired]
                + APIAnswer.sdkFailures()),
        APIEndpoint(
            sdkCalls("shortAuthorize", "deviceShortAuthorize"), .sdk, .device,
            "Get a media token for a permitted resource", "Every call issues a new token.",
            section: "sdk-services 5",
            headers: APIField.sdkHeaders + [
                .optional("ap_19", .text(0...256), "The pseudonym of the AuthN document."),
                .optional("ap_23", .text(0...256), "The session index of the AuthN document."),
            ],
            fields: APIField.sdkDeviceFields + [
                .required("authz_token", .text(1...65_536), "The AuthZ document, as `authorize` returned it."),
                .optional("session_guid", .text(0...256), "The GUID of the AuthN document."),
                .optional("hashed_guid", .choice("true", "false"), "Whether the GUID is hashed."),
                .sdkOptionalProvider,
            ],
            answers: [
                APIAnswer(
                    200, "The token document: two elements side by side, on one line.",
                    [.xml(.any(of: [.text(pattern: "^<signatureInfo>"), .named("Refusal"), .named("PendingLogout")]))]),
                .sdkExpired,
            ] + APIAnswer.sdkFailures()),
    ]
}
