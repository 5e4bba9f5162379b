import HTTPServer

// Management (rest-v1 20.5, 25), and what no protocol document has.
extension APIDescription {
    private static let trials = "temporary:passes:owner"
    private static let decisions = "decisions:owner"
    private static let degradation = "/control/v3/degradation/{mediaCompany}"
    private static let notThere = APIAnswer.error(404, "`Not Found`", .authentication)
    private static let done = APIAnswer.empty(204, "Done.")
    private static let noRule = APIAnswer.error(
        404, "`Not Found`: no such kind of rule, or none in force.", .authentication)

    private static func failures() -> [APIAnswer] {
        [
            .error(400, APIAnswer.missing, .authentication), .unauthorized,
            .error(403, "`Forbidden`: the token is not good for this, or for this requestor.", .authentication),
        ] + APIAnswer.always
    }

    private static let measures = APIAnswer(
        200, "The rules in force.",
        [
            .json(.named("DegradationMeasures")),
            .xml(.any(of: [.named("DegradationMeasureElement"), .named("DegradationMeasureElements")])),
        ])

    private static let target: [APIField] = [.degradedProvider, .degradedResource, .degradedChannel]

    static let managementEndpoints = trialManagement + degradationManagement + recordManagement

    private static let trialManagement: [APIEndpoint] = [
        APIEndpoint(
            [.init(.delete, "/reset-tempass/v3/reset", "resetTrials")], .management, .bearer(scope: trials),
            "Forget the trials of devices", section: "rest-v1 20.5",
            fields: [
                .resetRequestor, .resetProvider,
                .optional("device_id", .text(0...512), "The device; every one for `all`, and when left out."), .format,
            ], answers: [done] + failures()),
        APIEndpoint(
            [.init(.delete, "/reset-tempass/v3/reset/generic", "resetTrialsOfPeople")], .management,
            .bearer(scope: trials), "Forget the trials of people", section: "rest-v1 20.5",
            fields: [
                .resetRequestor, .resetProvider,
                .optional("key", .text(0...1024), "The person, as `generic_data` names it; everybody for `all`."),
                .format,
            ], answers: [done] + failures()),
    ]

    private static let degradationManagement: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, degradation + "/all", "listDegradationRules")], .management, .bearer(scope: decisions),
            "List the degradation rules of all kinds", section: "rest-v1 25",
            fields: [.openProgrammer] + target + [
                .optional("media-company", .text(0...120), "The same as in the path."),
                .optional("includeHistory", .text(0...8), "`true` or `1` lists rules that are over, too."), .format,
            ],
            answers: [.document(200, "The rules.", json: "DegradationRules")] + failures()),
        APIEndpoint(
            [.init(.get, degradation + "/{rule}", "readDegradationRules")], .management, .bearer(scope: decisions),
            "List the degradation rules of one kind", section: "rest-v1 25",
            fields: [.programmer] + target + [.format], answers: [measures, noRule] + failures()),
        APIEndpoint(
            [.init(.post, degradation + "/{rule}", "addDegradationRule")], .management, .bearer(scope: decisions),
            "Bypass a provider for a time", section: "rest-v1 25",
            fields: [.programmer] + target + [
                .optional(
                    "ttl", .text(0...9, pattern: "^[0-9]*$").standard(.string("14400")),
                    "Seconds, 1 to 604800."),
                .optional("msg", .text(0...500), "For viewers; at most 500 bytes of UTF-8."), .format,
            ],
            answers: [measures, noRule, .error(409, "Too many rules in force.", .authentication)] + failures()),
        APIEndpoint(
            [.init(.delete, degradation + "/{rule}", "endDegradationRules")], .management,
            .bearer(scope: decisions), "End degradation rules", section: "rest-v1 25",
            fields: [.programmer] + target + [.format], answers: [done, noRule] + failures()),
    ]

    private static let recordManagement: [APIEndpoint] = [
        APIEndpoint(
            [.init(.get, "/management/v1/devices/records", "listDeviceRecords")], .management,
            .bearer(scope: "devices:owner"), "List the sign-ins and decisions of a device",
            section: "an extension of this server", fields: [.deviceID, .format],
            answers: [
                .document(200, "The records.", json: "DeviceRecords", xml: "DeviceRecordsDocument")
            ] + failures()),
        APIEndpoint(
            [.init(.delete, "/management/v1/devices/records", "deleteDeviceRecords")], .management,
            .bearer(scope: "devices:owner"), "Sign a device out", section: "an extension of this server",
            fields: [.deviceID, .format], answers: [done] + failures()),
        APIEndpoint(
            [.init(.delete, "/management/v1/authentications/{id}", "deleteAuthentication")], .management,
            .bearer(scope: "devices:owner"), "End a sign-in", section: "an extension of this server",
            fields: [.format], answers: [done, notThere] + failures()),
        APIEndpoint(
            [.init(.delete, "/management/v1/key-pairs/{publicKey}", "revokeKeyPair")], .management,
            .bearer(scope: "credentials:owner"), "Revoke a key pair", section: "an extension of this server",
            fields: [.format], answers: [done, notThere] + failures()),
        APIEndpoint(
            [.init(.delete, "/management/v1/applications/{softwareId}", "revokeApplication")], .management,
            .bearer(scope: "credentials:owner"), "Revoke an application and all its installations",
            section: "an extension of this server", fields: [.format], answers: [done, notThere] + failures()),
        APIEndpoint(
            [.init(.get, "/management/v1/audit", "readAuditLog")], .management,
            .bearer(scope: "devices:owner"), "Read who changed what",
            "The newest first. For callers that manage every requestor; `credentials:owner` opens it, too.",
            section: "an extension of this server",
            fields: [
                .optional("limit", .text(0...4, pattern: "^[0-9]*$").standard(.string("100")), "From 1 to 1000."),
                .format,
            ],
            answers: [.document(200, "The entries.", json: "Audit")] + failures()),
    ]
}
