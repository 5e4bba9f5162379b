import Clientless
import Entitlement
import HTTPServer

// `/control/v3/degradation/{mediaCompany}/{rule}` (rest-v1 25).
extension Management {
    private static let path = "/control/v3/degradation/{mediaCompany}"

    private static let noKind = APIAnswer.error(404, "`Not Found`: no such kind of rule.", .authentication)
    private static let noRule = APIAnswer.error(
        404, "`Not Found`: no such kind of rule, or none in force.", .authentication)
    private static let measures = APIAnswer(
        200, "The rules in force.",
        [
            .json(.named("DegradationMeasures")),
            .xml(.any(of: [.named("DegradationMeasureElement"), .named("DegradationMeasureElements")])),
        ])
    private static let target: [APIField] = [.degradedProvider, .degradedResource, .degradedChannel]
    /// The same as in the path; checked wherever it is sent, described where the protocol has it.
    private static let mediaCompany = APIField.optional("media-company", .text(0...120), "The same as in the path.")

    // These calls have a limit of their own in place of every other's (rest-v1 25).
    static let degradationEndpoints: [Endpoint<Management>] = [
        endpoint(
            .get, path + "/all", "listDegradationRules", name: "degradation-all", .degradation,
            "List the degradation rules of all kinds", section: "rest-v1 25", limits: .operators,
            fields: [.openProgrammer] + target + [
                mediaCompany,
                .optional("includeHistory", .text(0...8), "`true` or `1` lists rules that are over, too."),
            ],
            answers: [.document(200, "The rules.", json: "DegradationRules")]
        ) { try await $0.allRules($1.call, $1.caller) },
        endpoint(
            .get, path + "/{rule}", "readDegradationRules", name: "degradation", .degradation,
            "List the degradation rules of one kind", section: "rest-v1 25", limits: .operators,
            fields: [.programmer.orElse("media-company")] + target,
            answers: [measures, noKind]
        ) { try await $0.rules($1.call, $1.caller) },
        endpoint(
            .post, path + "/{rule}", "addDegradationRule", name: "degradation", .degradation,
            "Bypass a provider for a time", section: "rest-v1 25", limits: .operators, bodyLimit: .form,
            fields: [.programmer.orElse("media-company")] + target + [
                .optional(
                    "ttl", .text(0...9, pattern: "^[0-9]*$").standard(.string("14400")), "Seconds, 1 to 604800."),
                .optional("msg", .text(0...500), "For viewers; at most 500 bytes of UTF-8."),
            ],
            answers: [measures, noKind, .error(409, "Too many rules in force.", .authentication)]
        ) { try await $0.addRule($1.call, $1.caller) },
        endpoint(
            .delete, path + "/{rule}", "endDegradationRules", name: "degradation", .degradation,
            "End degradation rules", section: "rest-v1 25", limits: .operators,
            fields: [.programmer.orElse("media-company")] + target,
            answers: [.done, noRule]
        ) { try await $0.endRules($1.call, $1.caller) },
    ]

    private func allRules(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        try Self.checkMediaCompany(call)
        let query = try DegradationQuery(call, caller, self.domain.catalogue, isOptional: true)
        let includesHistory = ["true", "1"].contains(call.parameters["includeHistory"])
        let rules = try await self.domain.degradations.rules(includingEnded: includesHistory, now: call.now)
            .filter { query.covers($0, caller) }
        return Answer.document(DegradationDocument.overview(rules, at: call.now), call.format)
    }

    private func rules(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let kind = try Self.kind(call)
        let query = try DegradationQuery(call, caller, self.domain.catalogue)
        let rules = try await self.domain.degradations.rules(includingEnded: false, now: call.now)
            .filter { $0.kind == kind && query.covers($0, caller) }
        return Answer.document(DegradationDocument.document(rules, at: call.now), call.format)
    }

    private func addRule(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let kind = try Self.kind(call)
        let query = try DegradationQuery(call, caller, self.domain.catalogue)
        guard let requestor = query.requestor else { throw WireError.missing("programmer") }
        let lifetime = try call.number("ttl").map { .seconds($0) } ?? DegradationRule.defaultLifetime
        let message = try call.optional("msg", atMost: DegradationRule.maximumMessage) ?? ""
        let rules: [DegradationRule]
        do throws(DegradationRuleFault) {
            rules = try await self.domain.degradations.add(
                kind, requestor: requestor, mvpds: query.eachMVPD, resources: query.resources, message: message,
                lifetime: lifetime, actor: caller.actor, now: call.now)
        } catch {
            switch error {
            case .resources:
                throw WireError.invalid(call.parameters.all("channel").allSatisfy(\.isEmpty) ? "resource" : "channel")
            case .lifetime: throw WireError.invalid("ttl")
            case .message: throw WireError.invalid("msg")
            case .tooMany: throw WireError(.conflict, "Too many rules in force")
            case .domain(let error): throw error
            }
        }
        return Answer.document(DegradationDocument.document(rules, at: call.now), call.format)
    }

    /// 204, or 404 when no such rule is in force.
    private func endRules(_ call: Call, _ caller: ManagementCaller) async throws -> HTTPResponse {
        let kind = try Self.kind(call)
        let query = try DegradationQuery(call, caller, self.domain.catalogue)
        guard let requestor = query.requestor else { throw WireError.missing("programmer") }
        var ended = 0
        // Without resources all rules of the pair end; each named one is taken out of the rules that name it.
        for mvpd in query.eachMVPD {
            for resource in query.resources.isEmpty ? [nil] : query.resources.map(Optional.some) {
                ended += try await self.domain.degradations.end(
                    kind, requestor: requestor, mvpd: mvpd, resource: resource, actor: caller.actor, now: call.now
                ).count
            }
        }
        guard ended > 0 else { throw WireError.notFound }
        return Answer.empty(.noContent)
    }

    /// Reads `{rule}`, spelt as rest-v1 25 has it; an unknown one is 404, as any other unknown path.
    private static func kind(_ call: Call) throws(WireError) -> DegradationRule.Kind {
        try self.checkMediaCompany(call)
        guard let kind = DegradationRule.Kind(rawValue: call.request.segment("rule")) else { throw .notFound }
        return kind
    }

    /// A media company is a name above requestors that this server gives no meaning to: what a caller may manage is its
    /// application's channels. It must still be a name, and the same one wherever the call has it.
    private static func checkMediaCompany(_ call: Call) throws(WireError) {
        let name = call.request.segment("mediaCompany")
        guard (1...120).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" })
        else { throw .invalid("media-company") }
        if let again = call.parameters["media-company"], !again.isEmpty, !again.utf8.elementsEqual(name.utf8) {
            throw .invalid("media-company")
        }
    }
}
