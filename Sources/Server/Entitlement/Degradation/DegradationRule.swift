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
    }

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
