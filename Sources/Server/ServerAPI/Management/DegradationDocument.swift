import Clientless
import Entitlement

/// Degradation rules on the wire (rest-v1 25).
enum DegradationDocument {
    private typealias Measure = (rule: DegradationRule, isInForce: Bool)
    private typealias Rules = (authn: [Measure], authz: [Measure], authzNone: [Measure])

    private static let reference = Shape<String>(.init("id", \.self, .text(1...8192)))

    private static let measure = Shape<Measure>(
        .init("id", \.rule.kind.measureID, .choice("authn-all", "authz-all", "authz-none")),
        .init("programmer", reference, \.rule.requestor.text),
        // A rule for every provider names none.
        .init(
            "mvpd", optional: { $0.rule.mvpd.map { ["id": .string($0.text)] as JSONValue } },
            reference.schema(.json).described("Absent for a rule about every provider.")),
        target("resource"), target("channel"),
        .init("degradation-measure-enable", \.isInForce),
        .init("degradation-measure-status", { $0.isInForce ? "APPLIED" : "ENDED" }, .choice("APPLIED", "ENDED")),
        .init(
            "ttl", { Int(($0.rule.ends - $0.rule.activation).wholeMilliseconds / 1000) },
            .integer().described("Seconds.")),
        .init("err-msg", \.rule.message, .text(0...500)),
        .init(
            "activation-time", { Int($0.rule.activation.seconds) },
            .integer().described("Seconds since 1970.")))

    private static func target(_ name: String) -> Shape<Measure>.Member {
        .init(
            MemberName(name),
            optional: { measure in
                measure.rule.kind.targetName == name
                    ? measure.rule.resources.map { ["id": .string($0.text)] as JSONValue } : nil
            }, .list(of: reference.schema(.json)))
    }

    private static let overview = Shape<Rules>(
        .init("authnRules", of: measure, \.authn, .named("DegradationMeasure")),
        .init("authzRules", of: measure, \.authz, .named("DegradationMeasure")),
        .init("authzNoneRules", of: measure, \.authzNone, .named("DegradationMeasure")))

    private static let list = Shape<[Measure]>(
        .init("degradation-measure", of: measure, \.self, .named("DegradationMeasure")))

    /// JSON has the name as a member, XML as its root.
    private static let single = Shape<Measure>(
        [.init("degradation-measure", measure, \.self).inJSON] + measure.members.map(\.inXML))

    /// The answer about one kind of rule. One rule is an object, as the document prints it; any other number is a list,
    /// which XML puts into `degradation-measures`.
    static func document(_ rules: [DegradationRule], at now: Timestamp) -> WireDocument {
        let measures = self.measures(rules, at: now)
        return measures.count == 1
            ? WireDocument("degradation-measure", self.single, measures[0])
            : WireDocument("degradation-measures", self.list, measures)
    }

    /// The answer to `all`.
    static func overview(_ rules: [DegradationRule], at now: Timestamp) -> WireDocument {
        func measures(_ kind: DegradationRule.Kind) -> [Measure] {
            self.measures(rules.filter { $0.kind == kind }, at: now)
        }
        let all = (measures(.authnAll), measures(.authzAll), measures(.authzNone))
        return WireDocument("degradation-rules", self.overview, all)
    }

    private static func measures(_ rules: [DegradationRule], at now: Timestamp) -> [Measure] {
        rules.map { ($0, $0.isActive(at: now)) }
    }

    static let schemas: APIDescription.NamedSchemas = [
        "DegradationMeasure": measure.schema(.json),
        "DegradationMeasures": .any(of: [single.schema(.json), list.schema(.json)]).described(
            "One rule as itself, any other number of them as a list."),
        "DegradationMeasureElement": measure.schema(.xml).element("degradation-measure"),
        "DegradationMeasureElements": list.schema(.xml).element("degradation-measures"),
        "DegradationRules": overview.schema(.xml).element("degradation-rules"),
    ]
}

/// The subject of a degradation call: the programmer, the provider and the resources it names (rest-v1 25).
struct DegradationQuery: Sendable {
    /// `nil` only where a call may speak of all the caller manages.
    let requestor: RequestorID?
    /// None means every provider of the requestor.
    let mvpds: [MVPDID]
    let resources: [Resource]

    /// - Parameter isOptional: whether it may leave the requestor open.
    init(_ call: Call, _ caller: ManagementCaller, _ catalogue: Catalogue, isOptional: Bool = false) throws(WireError) {
        if isOptional, call.parameters["programmer"]?.isEmpty ?? true {
            self.requestor = nil
            self.mvpds = try Self.mvpds(in: call) { catalogue.mvpd($0) != nil }
        } else {
            let requestor = try caller.requestor("programmer", in: call, catalogue)
            self.requestor = requestor
            self.mvpds = try Self.mvpds(in: call) { id in
                catalogue.requestor(requestor)?.integrations.contains { $0.mvpd == id } == true
            }
        }
        self.resources = try Self.resources(in: call)
    }

    /// Whether `rule` is among what the call asks about. A rule for every provider, or every resource, is about each.
    func covers(_ rule: DegradationRule, _ caller: ManagementCaller) -> Bool {
        guard caller.remit.covers(rule.requestor), self.requestor == nil || self.requestor == rule.requestor
        else { return false }
        if let mvpd = rule.mvpd, !self.mvpds.isEmpty, !self.mvpds.contains(mvpd) { return false }
        return self.resources.isEmpty || rule.resources.isEmpty
            || self.resources.contains { rule.resources.contains($0) }
    }

    private static func mvpds(in call: Call, isFit: (MVPDID) -> Bool) throws(WireError) -> [MVPDID] {
        var mvpds: [MVPDID] = []
        for text in call.parameters.all("mvpd") where !text.isEmpty {
            guard let id = MVPDID(text), isFit(id) else { throw .invalid("mvpd") }
            if !mvpds.contains(id) { mvpds.append(id) }
        }
        return mvpds
    }

    /// The same with `nil` in place of none: what a change has to be made for.
    var eachMVPD: [MVPDID?] { self.mvpds.isEmpty ? [nil] : self.mvpds.map(Optional.some) }

    /// Every value of `resource` and `channel`. Which of the two names a rule's targets depends on its kind; reading
    /// only that one would make a rule that was meant for one channel a rule for all.
    private static func resources(in call: Call) throws(WireError) -> [Resource] {
        var resources: [Resource] = []
        for name in ["resource", "channel"] {
            for text in call.parameters.all(name) where !text.isEmpty {
                guard let resource = try? Resource(fromWire: text) else { throw .invalid(name) }
                if !resources.contains(resource) { resources.append(resource) }
            }
            guard resources.count <= DegradationRule.maximumResources else { throw .invalid(name) }
        }
        return resources
    }
}

extension DegradationRule.Kind {
    var measureID: String {
        switch self {
        case .authnAll: "authn-all"
        case .authzAll: "authz-all"
        case .authzNone: "authz-none"
        }
    }

    /// The name of a measure's targets; a skipped login has none.
    var targetName: String? {
        switch self {
        case .authnAll: nil
        case .authzAll: "resource"
        case .authzNone: "channel"
        }
    }
}
