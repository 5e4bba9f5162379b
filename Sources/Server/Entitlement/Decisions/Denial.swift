/// Why a resource is not permitted; enhanced error codes tell one from the other (rest-v1 8.3).
package enum Denial: Hashable, Sendable {
    /// The provider said no.
    case provider
    /// A degradation rule of the programmer says no (rest-v1 25).
    case programmer
    /// The resource is rated above what the viewer's household allows (rest-v1 23).
    case parentalControls
    /// The provider could not be asked, or not in time: nobody is let in because a provider was silent.
    case network(timeout: Bool)
    /// The time or the resources of a trial are used up (rest-v1 20.1).
    case trial
}
