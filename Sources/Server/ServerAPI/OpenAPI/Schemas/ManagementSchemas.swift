// Degradation rules (rest-v1 25), and what is kept of a device.
extension APIDescription {
    private static let reference = APISchema.object([.required("id", .text(1...8192))])

    private static let measure: [APISchema.Property] = [
        .required("id", .choice("authn-all", "authz-all", "authz-none")), .required("programmer", reference),
        .optional("mvpd", reference.described("Absent for a rule about every provider.")),
        .optional("resource", .list(of: reference)), .optional("channel", .list(of: reference)),
        .required("degradation-measure-enable", .flag),
        .required("degradation-measure-status", .choice("APPLIED", "ENDED")),
        .required("ttl", .integer().described("Seconds.")), .required("err-msg", .text(0...500)),
        .required("activation-time", digits),
    ]

    private static let rules: [APISchema.Property] = ["authnRules", "authzRules", "authzNoneRules"].map {
        .required($0, .list(of: .named("DegradationMeasure")))
    }

    private static let origin = APISchema.choice("regular", "provider", "temporaryPass", "degraded", "platform")

    private static func record(_ context: [APISchema.Property]) -> APISchema {
        .object(
            [
                .required("id", .text(pattern: "^[0-9a-f]{32}$")), .required("requestor", APIField.requestorName),
                .required("mvpd", APIField.mvpdName), .required("userId", .text(pattern: "^[0-9a-f]+$")),
                .required("origin", origin), .required("exclusive", .flag),
            ] + context + [.required("created", digits), .required("expires", digits)])
    }

    private static let decision = APISchema.object([
        .required("authentication", .text(pattern: "^[0-9a-f]{32}$")),
        .required("requestor", APIField.requestorName), .required("mvpd", APIField.mvpdName),
        .required("resource", APIField.resourceText), .required("origin", origin), .required("created", digits),
        .required("expires", digits),
    ])

    private static func records(_ context: [APISchema.Property]) -> APISchema {
        .object([
            .required("authentications", .list(of: record(context))),
            .required("authorizations", .list(of: decision)),
        ])
    }

    private static let ended = APISchema.object([.required("ended", .integer())])

    private static let audit = APISchema.object([
        .required(
            "entries",
            .list(
                of: .object(
                    [.required("time", digits)] + ["actor", "action", "subject"].map { .required($0, .text()) }))
        )
    ])

    private static let link = APISchema.object([.required("href", .text(1...8192))])

    private static let report = APISchema.object([
        .required(
            "_links",
            .object([
                .required("self", link), .optional("roll-up", link),
                .optional("drill-down", .any(of: [link, .list(of: link)])),
            ])),
        .required("report", .list(of: .map(of: .text()))),
    ])

    /// The same in XML, whose records have a report's columns as attributes.
    private static let resource = APISchema.members([.required("href", APISchema.text(1...8192).asAttribute)])
        .element("resource")

    static let managementSchemas: [NamedSchema] = [
        ("DegradationMeasure", .object(measure)),
        (
            "DegradationMeasures",
            .object([
                .required(
                    "degradation-measure",
                    .any(of: [.named("DegradationMeasure"), .list(of: .named("DegradationMeasure"))]))
            ]).described("One rule as itself, any other number of them as a list.")
        ),
        ("DegradationMeasureElement", APISchema.object(measure).element("degradation-measure")),
        (
            "DegradationMeasureElements",
            APISchema.object([.required("degradation-measure", .list(of: .named("DegradationMeasure")))])
                .element("degradation-measures")
        ),
        ("DegradationRules", APISchema.object(rules).element("degradation-rules")),
        (
            "DeviceRecords",
            records([.required("appId", .text().orNull), .required("deviceUser", .text().orNull)])
        ),
        (
            "DeviceRecordsDocument",
            records([.optional("appId", .text()), .optional("deviceUser", .text())]).element("deviceRecords")
        ),
        ("EndedSignIns", ended), ("EndedSignInsDocument", ended.element("endedSignIns")),
        (
            "SetUpCode",
            APISchema.object([
                .required("code", .text(pattern: "^[B-DF-HJ-NP-TV-XZ2-9]{4}(-[B-DF-HJ-NP-TV-XZ2-9]{4}){2}$")),
                .required("server", .text(1...2048)), .required("requestor", APIField.requestorName),
                .required("expires", digits),
            ]).element("setUpCode")
        ),
        ("Audit", audit.element("audit")), ("MonitoringReport", report), ("MonitoringResource", resource),
    ]
}
