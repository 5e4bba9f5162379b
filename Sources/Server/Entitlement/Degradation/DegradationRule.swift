package import Clientless

/// A temporary bypass of a provider, set by a programmer for a fixed time (rest-v1 25).
package struct DegradationRule: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Login is skipped, and authorization granted.
        case authnAll
        /// Authorization is granted without asking the provider.
        case authzAll
        /// Authorization is refused with the programmer's message.
        case authzNone

        /// Whether a rule names resources; a login that is skipped has none.
        package var namesResources: Bool {
            switch self {
            case .authnAll: false
            case .authzAll, .authzNone: true
            }
        }
    }

    package static let maximumResources = 50
    /// Bytes of a message for viewers.
    package static let maximumMessage = 500
    /// How long a rule may be in force. It is meant to be temporary: an operator who needs more than a week looks at it
    /// in between.
    package static let lifetimes: ClosedRange<Duration> = .seconds(1) ... .seconds(7 * 24 * 3600)
    /// For calls that do not say: the document's example.
    package static let defaultLifetime: Duration = .seconds(4 * 3600)
    /// The most rules one requestor may have in force: every authorization looks at all of them.
    package static let maximumInForce = 200

    /// UUID text.
    package let id: String
    package let kind: Kind
    package let requestor: RequestorID
    /// `nil` means every provider of the requestor.
    package let mvpd: MVPDID?
    /// The resources (or channels) it is about; empty means all.
    package var resources: [Resource]
    /// For viewers; the `details` of a refusal.
    package let message: String
    package let activation: Timestamp
    /// When it ends by itself, or was ended.
    package var ends: Timestamp
    /// Counts the changes, from 0 for one that is not stored yet; a change names the version it read.
    package var version: Int

    package init(
        id: String, kind: Kind, requestor: RequestorID, mvpd: MVPDID?, resources: [Resource], message: String,
        activation: Timestamp, ends: Timestamp, version: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.requestor = requestor
        self.mvpd = mvpd
        self.resources = resources
        self.message = message
        self.activation = activation
        self.ends = ends
        self.version = version
    }

    package func isActive(at now: Timestamp) -> Bool { self.activation <= now && now < self.ends }

    /// Whether it speaks of this pair, and of `resource` when it is given.
    package func covers(_ requestor: RequestorID, _ mvpd: MVPDID, resource: Resource?) -> Bool {
        guard self.requestor == requestor, self.mvpd == nil || self.mvpd == mvpd else { return false }
        guard let resource, !self.resources.isEmpty else { return true }
        if self.resources.contains(resource) { return true }
        // A channel that a rule names is meant whichever way it is asked for (rest-v1 23).
        guard resource.isMediaRSS, let channel = (try? resource.channelTitle()).flatMap({ Resource($0) })
        else { return false }
        return self.resources.contains(channel)
    }
}

package enum DegradationRuleFault: Error, Hashable, Sendable {
    /// More than ``DegradationRule/maximumResources``, or any at all of a skipped login.
    case resources
    /// Outside ``DegradationRule/lifetimes``.
    case lifetime
    /// Longer than ``DegradationRule/maximumMessage``, or with control characters.
    case message
    case tooMany
    /// An unknown requestor or provider, or the store.
    case domain(EntitlementError)
}

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
    package func effect(on resource: Resource, _ requestor: RequestorID, _ mvpd: MVPDID, at now: Timestamp) -> Effect? {
        let active = self.rules.filter { $0.isActive(at: now) && $0.covers(requestor, mvpd, resource: resource) }
        if let refusal = active.first(where: { $0.kind == .authzNone }) { return .refuse(message: refusal.message) }
        return active.map(\.ends).max().map { .grant(until: $0) }
    }
}
