import Clientless

// Degradation rules (rest-v1 25), and reports (rest-v1 E).
extension APIDescription {
    private static let reference = JSONSchema.object([.required("id", .text(1...8192))])

    private static let measure: [JSONSchema.Property] = [
        .required("id", .choice("authn-all", "authz-all", "authz-none")), .required("programmer", reference),
        .optional("mvpd", reference.described("Absent for a rule about every provider.")),
        .optional("resource", .list(of: reference)), .optional("channel", .list(of: reference)),
        .required("degradation-measure-enable", .flag),
        .required("degradation-measure-status", .choice("APPLIED", "ENDED")),
        .required("ttl", .integer().described("Seconds.")), .required("err-msg", .text(0...500)),
        .required("activation-time", digits),
    ]

    private static let rules: [JSONSchema.Property] = ["authnRules", "authzRules", "authzNoneRules"].map {
        .required($0, .list(of: .named("DegradationMeasure")))
    }

    private static let link = JSONSchema.object([.required("href", .text(1...8192))])

    private static let report = JSONSchema.object([
        .required(
            "_links",
            .object([
                .required("self", link), .optional("roll-up", link),
                .optional("drill-down", .any(of: [link, .list(of: link)])),
            ])),
        .required("report", .list(of: .map(of: .text()))),
    ])

    /// The same in XML, whose records have a report's columns as attributes.
    private static let resource = JSONSchema.members([.required("href", JSONSchema.text(1...8192).asAttribute)])
        .element("resource")

    static let managementSchemas: NamedSchemas = [
        "DegradationMeasure": .object(measure),
        "DegradationMeasures": .object([
            .required(
                "degradation-measure",
                .any(of: [.named("DegradationMeasure"), .list(of: .named("DegradationMeasure"))]))
        ]).described("One rule as itself, any other number of them as a list."),
        "DegradationMeasureElement": JSONSchema.object(measure).element("degradation-measure"),
        "DegradationMeasureElements": JSONSchema.object([
            .required("degradation-measure", .list(of: .named("DegradationMeasure")))
        ])
        .element("degradation-measures"),
        "DegradationRules": JSONSchema.object(rules).element("degradation-rules"),
        "MonitoringReport": report, "MonitoringResource": resource,
    ]
}
