import Clientless
import Entitlement

/// The subject of a degradation call: the programmer, the provider and the resources it names (rest-v1 25).
struct DegradationQuery: Sendable {
    /// `nil` only where a call may speak of all the caller manages.
    let requestor: RequestorID?
    /// `nil` means every provider of the requestor.
    let mvpd: MVPDID?
    let resources: [Resource]

    /// Reads a call.
    /// - Parameter isOptional: whether it may leave the requestor open.
    init(
        _ call: Call, _ caller: ManagementCaller, _ catalogue: Catalogue, isOptional: Bool = false
    ) throws(WireError) {
        if isOptional, call.parameters["programmer"]?.isEmpty ?? true {
            self.requestor = nil
            self.mvpd = try Self.mvpd(in: call) { catalogue.mvpd($0) != nil }
        } else {
            let requestor = try caller.requestor("programmer", in: call, catalogue)
            self.requestor = requestor
            self.mvpd = try Self.mvpd(in: call) { id in
                catalogue.requestor(requestor)?.integrations.contains { $0.mvpd == id } == true
            }
        }
        self.resources = try Self.resources(in: call)
    }

    /// Whether `rule` is among what the call asks about. A rule for every provider, or every resource, is about each.
    func covers(_ rule: DegradationRule, _ caller: ManagementCaller) -> Bool {
        guard caller.remit.covers(rule.requestor), self.requestor == nil || self.requestor == rule.requestor
        else { return false }
        if let mvpd = self.mvpd, let other = rule.mvpd, mvpd != other { return false }
        return self.resources.isEmpty || rule.resources.isEmpty
            || self.resources.contains { rule.resources.contains($0) }
    }

    private static func mvpd(in call: Call, isFit: (MVPDID) -> Bool) throws(WireError) -> MVPDID? {
        guard let text = call.parameters["mvpd"], !text.isEmpty else { return nil }
        guard let id = MVPDID(text), isFit(id) else { throw .invalid("mvpd") }
        return id
    }

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
    /// The `id` of a measure.
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
