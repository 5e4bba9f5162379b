package import Clientless

/// The rules in force, and which of them wins (rest-v1 25).
package struct Degradations: Sendable {
    package enum Effect: Hashable, Sendable {
        case grant(until: Timestamp)
        case refuse(message: String)
    }

    package let rules: [DegradationRule]

    /// Whether a rule about all of a provider's resources is in force for a requestor: platform sign-ins are not
    /// exchanged then (access-enabler 10.5, condition 6).
    package func isBypassed(_ requestor: RequestorID, _ mvpd: MVPDID, at now: Timestamp) -> Bool {
        self.rules.contains {
            $0.isActive(at: now) && $0.resources.isEmpty && $0.covers(requestor, mvpd, resource: nil)
        }
    }

    /// The rule that lets viewers of a provider skip its login, the one that lasts longest.
    package func skippedLogin(_ requestor: RequestorID, _ mvpd: MVPDID, at now: Timestamp) -> DegradationRule? {
        self.rules.filter { $0.kind == .authnAll && $0.isActive(at: now) && $0.covers(requestor, mvpd, resource: nil) }
            .max { $0.ends < $1.ends }
    }

    /// The rules' word on a resource; `nil` when the provider has to be asked.
    ///
    /// A refusal outweighs a grant: it was set against a resource on purpose.
    package func effect(
        on resource: Resource, _ requestor: RequestorID, _ mvpd: MVPDID, at now: Timestamp
    ) -> Effect? {
        let active = self.rules.filter { $0.isActive(at: now) && $0.covers(requestor, mvpd, resource: resource) }
        if let refusal = active.first(where: { $0.kind == .authzNone }) { return .refuse(message: refusal.message) }
        return active.map(\.ends).max().map { .grant(until: $0) }
    }
}
