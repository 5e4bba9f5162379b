package import Clientless

/// A service that answers for a provider whose sign-ins do not say its decisions; it is asked about each viewer by
/// name. It knows no session, and its silence is no matter for sign-ins.
package protocol DecisionPoint: Sendable {
    /// How long an answer may take.
    var time: Duration { get }

    /// Decides on each resource of a question, in the order asked.
    func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision]
}

/// The question to a ``DecisionPoint``.
package struct DecisionQuestion: Hashable, Sendable {
    package let requestor: RequestorID
    /// The provider's own, stable ID of the viewer.
    package let viewer: String
    package let resources: [Resource]
}
