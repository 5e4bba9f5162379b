/// A decision with where it came from: what a preauthorization says of one resource (rest-v1 17).
package struct Verdict: Hashable, Sendable {
    package let decision: Decision
    /// Why the decision is a denial; none for a permit.
    package let denial: Denial?

    package static let permit = Verdict(decision: .permit, denial: nil)

    package static func deny(_ denial: Denial, reason: String? = nil) -> Verdict {
        Verdict(decision: .deny(reason: reason), denial: denial)
    }

    private init(decision: Decision, denial: Denial?) {
        self.decision = decision
        self.denial = denial
    }

    /// What the provider decided.
    init(ofProvider decision: Decision) {
        switch decision {
        case .permit: self = .permit
        case .deny(let reason): self = .deny(.provider, reason: reason)
        }
    }

    package var isPermit: Bool { self.denial == nil }
}
