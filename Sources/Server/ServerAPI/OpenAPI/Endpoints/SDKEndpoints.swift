import HTTPServer

// What the library needs beside the tokens (sdk-services 6).
extension APIDescription {
    static let sdkEndpoints: [APIEndpoint] = [
        APIEndpoint(
            sdkCalls("preauthorize"), .sdk, .device, "Ask which resources would probably be permitted",
            section: "sdk-services 6", headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [
                .sdkToken,
                .required("resource_id", APIField.resourceText, "A resource; repeated for more than one."),
                .optional("cache", .text(0...16), "Ignored."),
            ],
            answers: [
                .sdkInJSON(
                    "One verdict for each resource, in the order asked.", "Preauthorization",
                    headers: [
                        .sometimes("Adobe-Response-Confidence", .constant(.string("full")), "How sure they are.")
                    ]), .sdkExpired,
            ] + APIAnswer.sdkFailures(forbidden: "`P100`: more resources than the requestor may ask about.")),
        APIEndpoint(
            sdkCalls("usermetadata"), .sdk, .device, "Read what the provider says of the viewer",
            section: "sdk-services 6", headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [.sdkToken],
            answers: [.sdkInJSON("The metadata.", "UserMetadata"), .sdkExpired] + APIAnswer.sdkFailures()),
        APIEndpoint(
            sdkCalls("passive"), .sdk, .device, "Sign in with another requestor's sign-in", section: "sdk-services 6",
            headers: APIField.sdkHeaders, fields: APIField.sdkDeviceFields + [.sdkToken, .sdkProvider],
            answers: [
                .sdk("The token.", "AuthenticationResult"),
                .sdkRefusal(409, "`N000`: the provider does not do this, or not for this viewer."), .sdkExpired,
            ] + APIAnswer.sdkFailures()),
        APIEndpoint(
            sdkCalls("temporary"), .sdk, .device, "Begin a trial", section: "sdk-services 6",
            headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [.sdkProvider, .genericData] + APIField.sdkContext,
            answers: [.sdk("The token.", "AuthenticationResult")]
                + APIAnswer.sdkFailures(forbidden: "`N111`: the trial is used up.")),
        APIEndpoint(
            sdkCalls("platform"), .sdk, .device, "Sign in with the operating system's answer",
            section: "sdk-services 6", headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [
                .sdkProvider,
                .required("SAMLResponse", .text(1...131_072), "The answer: Base64 of a SAML response."),
            ] + APIField.sdkContext,
            answers: [.sdk("The token.", "AuthenticationResult")]
                + APIAnswer.sdkFailures(forbidden: "The answer is not accepted.")),
        APIEndpoint(
            sdkCalls("logout"), .sdk, .device, "Sign out", section: "sdk-services 6", headers: APIField.sdkHeaders,
            fields: APIField.sdkDeviceFields + [.sdkToken],
            answers: [
                .sdk("Signed out here; a browser should go to the provider, too.", "LogoutResult"),
                .empty(204, "Signed out."), .sdkExpired,
            ] + APIAnswer.sdkFailures()),
    ]
}
