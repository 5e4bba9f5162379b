import Clientless
import Entitlement
import HTTPServer

// `authorize`, `shortAuthorize`, `preauthorize`, `usermetadata`, and what the device forms are called (sdk-services 4
// to 6).
extension SDKServices {
    static let authorizationEndpoints: [Endpoint<SDKServices>] = [
        operation(
            ["authorize", "authorizeDevice"], "Ask for a decision about a resource",
            "A refusal is 200 with an error document.", section: "sdk-services 4", bodyLimit: .documents,
            fields: [
                .required("resource_id", APIField.resourceText, "The resource; at most 8192 bytes of UTF-8."),
                .sdkToken, .sdkOptionalProvider, .sdkMetadata, .genericData,
            ],
            answers: [.sdk("Permitted or refused.", "AuthorizationResult", "Refusal"), .sdkExpired]
                + APIAnswer.sdkFailures(), errors: .classic(.authorization),
            handler: .box { try await $0.authorize($1) }),
        operation(
            ["shortAuthorize", "deviceShortAuthorize"], "Get a media token for a permitted resource",
            "Every call issues a new token.", section: "sdk-services 5", bodyLimit: .documents,
            headers: [
                .optional("ap_19", .text(0...256), "The pseudonym of the AuthN document."),
                .optional("ap_23", .text(0...256), "The session index of the AuthN document."),
            ],
            fields: [
                .required("authz_token", .text(1...65_536), "The AuthZ document, as `authorize` returned it."),
                .optional("session_guid", .text(0...256), "Ignored."),
                .optional("hashed_guid", .text(0...256), "Ignored."),
                .sdkOptionalProvider,
            ],
            answers: [
                APIAnswer(
                    200, "The token document: two elements side by side, on one line.",
                    [.xml(.any(of: [.text(pattern: "^<signatureInfo>"), .named("PendingLogout")]))]),
                .sdkExpired,
            ] + APIAnswer.sdkFailures(forbidden: "An operator refuses the resource meanwhile."),
            handler: .box { try await $0.mediaToken($1) }),
        operation(
            ["preauthorize"], "Ask which resources would probably be permitted",
            "The device may be left out: the token is bound to it.", section: "sdk-services 6", bodyLimit: .documents,
            fields: [
                .format,
                .sdkToken,
                .required("resource_id", APIField.resourceText, "A resource; repeated for more than one."),
                .optional("cache", .text(0...16), "Ignored."),
            ],
            answers: [
                APIAnswer(
                    200, "One verdict for each resource, in the order asked; JSON for callers that ask for it.",
                    [
                        .json(.named("Preauthorization")),
                        .xml(.any(of: [.named("PreauthorizationDocument"), .named("PendingLogout")])),
                    ],
                    headers: [
                        .sometimes("Adobe-Response-Confidence", .constant(.string("full")), "How sure they are.")
                    ]), .sdkExpired,
            ] + APIAnswer.sdkFailures(forbidden: "`P100`: more resources than the requestor may ask about."),
            handler: .device { try await $0.preauthorize($1) }),
        operation(
            ["usermetadata"], "Read what the provider says of the viewer", section: "sdk-services 6",
            bodyLimit: .documents, fields: [.sdkToken],
            answers: [.sdkInJSON("The metadata.", .named("UserMetadata")), .sdkExpired] + APIAnswer.sdkFailures(),
            handler: .box { try await $0.userMetadata($1) }),
    ]

    /// The sign-in behind the AuthN document a call presents.
    func presented(_ call: SDKCall, isLogout: Bool = false) async throws -> AuthNRecord {
        try await self.domain.documents.authentication(
            presenting: call.call.required("authentication_token"), device: call.device, requestor: call.requestor,
            isLogout: isLogout, now: call.now)
    }

    /// sdk-services 4. The token says which provider; `mso_id` is not asked.
    private func authorize(_ call: SDKCall) async throws -> HTTPResponse {
        let resource = try call.resource()
        let record = try await self.presented(call)
        let decision = try await self.domain.decisions.authorize(
            resource, by: record, requestor: call.requestor, person: try self.person(call, at: record.mvpd),
            now: call.now)
        let document = try self.domain.documents.authorizationDocument(of: decision, device: call.device)
        let metadata =
            call.call.parameters["userMeta"] == "1"
            ? try await self.userMetadata(of: record, requestor: call.requestor, now: call.now) : nil
        return SDKAnswer.result(SDKAnswer.decision, (document, metadata))
    }

    /// sdk-services 5. `session_guid` and `hashed_guid` decide nothing: public clients send random ones, and the AuthZ
    /// document is signed and bound to device and record.
    private func mediaToken(_ call: SDKCall) async throws -> HTTPResponse {
        let (decision, record) = try await self.domain.documents.authorization(
            presenting: call.call.required("authz_token"), device: call.device, requestor: call.requestor, now: call.now
        )
        let token = try self.domain.decisions.mediaToken(for: decision, of: record, now: call.now)
        return SDKAnswer.raw(token.document.text)
    }

    /// sdk-services 6. `cache` has nothing to switch: every preauthorization is decided anew.
    private func preauthorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let call = device.call
        guard let requestor = device.caller.requestor else { throw WireError.missing("requestor_id") }
        // A device that is named is checked; one that is not, the token names.
        let box =
            SDKCall.deviceName(in: call.request, call.parameters.undeclared) == nil
            ? nil : try SDKCall(device, self.domain)
        let resources = try self.resources(call)
        let record = try await self.domain.documents.authentication(
            presenting: try call.required("authentication_token"), device: box?.device, requestor: requestor,
            now: call.now)
        let verdicts = try await self.domain.decisions.preauthorize(
            resources, by: record, requestor: requestor, now: call.now)
        let style = self.context.style(for: requestor, trace: call.request.id)
        return Preauthorization.answer(verdicts, on: ResourceList(resources), style, call.format)
    }

    /// Every `resource_id`, each once, in the order given (rest-v1 17).
    private func resources(_ call: Call) throws -> [Resource] {
        var resources: [Resource] = []
        var seen: Set<Resource> = []
        for text in call.parameters.all("resource_id") where !text.allSatisfy(\.isWhitespace) {
            guard let resource = try? Resource(fromWire: text) else { throw SDKRefusal.invalidResource }
            if seen.insert(resource).inserted { resources.append(resource) }
        }
        guard !resources.isEmpty else { throw WireError.missing("resource_id") }
        return resources
    }

    private func userMetadata(_ call: SDKCall) async throws -> HTTPResponse {
        let record = try await self.presented(call)
        let json = try await self.userMetadata(of: record, requestor: call.requestor, now: call.now)
        return Answer.content(WireFormat.json.contentType, json.utf8)
    }
}

extension SDKServices {
    /// The metadata that `requestor` may know of the viewer, as JSON (access-enabler 13.3). A viewer of whom nothing is
    /// known has a document without values: the library keeps it beside the token like any other.
    func userMetadata(
        of record: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> String {
        let metadata =
            try await self.domain.metadata.userMetadata(of: record, requestor: requestor, now: now)
            ?? (record.created, [], [])
        let released = ReleasedMetadata(metadata, key: self.context.metadataKeys[requestor])
        return String(decoding: released.document.bytes(.json), as: UTF8.self)
    }
}
