import Clientless
import Entitlement

/// Degradation rules on the wire (rest-v1 25).
enum DegradationDocument {
    /// The object `degradation-measure`.
    static func measure(_ rule: DegradationRule, at now: Timestamp) -> WireObject {
        let isInForce = rule.isActive(at: now)
        var members: [WireObject.Member] = [
            .init("id", .string(rule.kind.measureID)), .init("programmer", self.reference(rule.requestor.text)),
        ]
        // A rule for every provider names none.
        if let mvpd = rule.mvpd { members.append(.init("mvpd", self.reference(mvpd.text))) }
        if let target = rule.kind.targetName {
            members.append(.init(target, .array(rule.resources.map { self.reference($0.text) })))
        }
        members += [
            .init("degradation-measure-enable", .bool(isInForce)),
            .init("degradation-measure-status", .string(isInForce ? "APPLIED" : "ENDED")),
            .init("ttl", .integer((rule.ends - rule.activation).wholeMilliseconds / 1000)),
            .init("err-msg", .string(rule.message)),
            .init("activation-time", .string(String(rule.activation.milliseconds))),
        ]
        return WireObject(members)
    }

    /// The answer about one kind of rule. One rule is an object, as the document prints it; any other number is a list,
    /// which XML puts into `degradation-measures`.
    static func document(_ rules: [DegradationRule], at now: Timestamp) -> WireDocument {
        let measures = rules.map { self.measure($0, at: now) }
        guard measures.count == 1 else {
            let list = WireValue.array(measures.map { .object($0) })
            return WireDocument("degradation-measures", WireObject([.init("degradation-measure", list)]))
        }
        // JSON has the name as a member, XML as its root.
        let inXML = measures[0].members.map { WireObject.Member($0.name, $0.value, only: .xml) }
        return WireDocument(
            "degradation-measure",
            WireObject([.init("degradation-measure", .object(measures[0]), only: .json)] + inXML))
    }

    /// The answer to `all`.
    static func overview(_ rules: [DegradationRule], at now: Timestamp) -> WireDocument {
        func list(_ kind: DegradationRule.Kind) -> WireValue {
            .array(rules.filter { $0.kind == kind }.map { .object(self.measure($0, at: now)) })
        }
        return WireDocument(
            "degradation-rules",
            WireObject([
                .init("authnRules", list(.authnAll)), .init("authzRules", list(.authzAll)),
                .init("authzNoneRules", list(.authzNone)),
            ]))
    }

    private static func reference(_ id: String) -> WireValue {
        .object(WireObject([.init("id", .string(id))]))
    }
}
