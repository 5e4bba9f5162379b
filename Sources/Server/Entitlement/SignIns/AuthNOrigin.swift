/// How a sign-in came about (rest-v1 20, 21, 25).
package enum AuthNOrigin: String, Hashable, Sendable, Codable {
    case regular
    /// A trial.
    case temporaryPass
    /// A degradation rule that skipped the provider's login.
    case degraded
    /// The provider account of the device's operating system.
    case platform
}
