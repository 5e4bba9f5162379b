/// What a provider says about one resource.
package enum Decision: Hashable, Sendable {
    case permit
    /// The sentence is the provider's own, for the viewer.
    case deny(reason: String?)
}
