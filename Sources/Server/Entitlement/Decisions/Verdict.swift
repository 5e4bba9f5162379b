package import Clientless

package enum Decision: Hashable, Sendable {
    /// - Parameter until: when the provider wants to be asked again; `nil` leaves that to the integration. It shortens,
    ///   and never lengthens.
    case permitted(until: Timestamp?)
    /// - Parameter reason: the provider's own sentence, for the viewer.
    case deny(reason: String?)
    /// The same, by the household's own controls.
    case denyByHousehold(reason: String?)
    /// Permitted where the ratings of the resource are within a limit, which is what `maxRating` is in rest-v1 19.
    /// - Parameter needsHousehold: what has a rating is permitted only if the household's own limit is known, too.
    case restricted(to: MetadataValue, needsHousehold: Bool = false, until: Timestamp?)
    /// No decision on this resource, though there may be on others.
    case unanswered

    package static let permit = Decision.permitted(until: nil)

    /// Permitted within ratings that parental controls know.
    /// - Returns: `nil` for a limit that could not be kept: without a rating, or with one of an unknown name or value.
    package static func permitted(
        within limit: [NamedText], needsHousehold: Bool = false, until: Timestamp?
    ) -> Decision? {
        let isKept = limit.allSatisfy { entry in
            ParentalRating.Ladder.all.contains {
                $0.limitName == entry.name && ParentalRating(entry.value, on: $0) != nil
            }
        }
        let names = Set(limit.map(\.name))
        guard isKept, !limit.isEmpty, names.count == limit.count else { return nil }
        return .restricted(to: .map(limit), needsHousehold: needsHousehold, until: until)
    }
}

/// Why a resource is not permitted; enhanced error codes tell one from the other (rest-v1 8.3).
package enum Denial: Hashable, Sendable {
    case provider
    /// A degradation rule of the programmer says no (rest-v1 25).
    case programmer
    /// The resource is rated above what the viewer's household allows (rest-v1 23).
    case parentalControls
    /// The provider could not be asked, or not in time: a silent provider lets no viewer in.
    case network(timeout: Bool)
    /// The time or the resources of a trial are used up (rest-v1 20.1).
    case trial
}

/// A decision with where it came from: what a preauthorization says of one resource (rest-v1 17).
package struct Verdict: Hashable, Sendable {
    package let decision: Decision
    /// Why the decision is a denial; `nil` for a permit.
    package let denial: Denial?

    package static let permit = Verdict(decision: .permit, denial: nil)

    package static func deny(_ denial: Denial, reason: String? = nil) -> Verdict {
        Verdict(decision: .deny(reason: reason), denial: denial)
    }

    /// - Parameter message: for viewers; it may be empty.
    static func deny(byRule message: String) -> Verdict { .deny(.programmer, reason: message.isEmpty ? nil : message) }

    package var isPermit: Bool { self.denial == nil }
    var isUnanswered: Bool { if case .network = self.denial { true } else { false } }

    /// When a permit of the provider ends, if it says so.
    var until: Timestamp? {
        switch self.decision {
        case .permitted(let until), .restricted(_, _, let until): until
        case .deny, .denyByHousehold, .unanswered: nil
        }
    }
}

extension Verdict {
    /// The provider's verdict.
    /// - Parameter household: the household's own limits, as far as they are known.
    init(ofProvider decision: Decision, on resource: Resource, household: ParentalControls, at now: Timestamp) {
        switch decision {
        case .restricted(_, true, _) where (try? resource.ratings()).map(household.cover) == false:
            self = .deny(.parentalControls)
        case .restricted(let limit, _, _) where !ParentalControls(maxRating: limit).allow(resource):
            self = .deny(.parentalControls)
        case .restricted(_, _, let until):
            self.init(ofProvider: .permitted(until: until), on: resource, household: household, at: now)
        case .unanswered: self = .deny(.network(timeout: false))
        case .permitted(let until?) where until <= now: self = .deny(.provider)
        case .permitted: self.init(decision: decision, denial: nil)
        case .deny(let reason): self = .deny(.provider, reason: reason)
        case .denyByHousehold(let reason): self = .deny(.parentalControls, reason: reason)
        }
    }
}
