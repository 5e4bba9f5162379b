/// How viewers are signed in by their home, without a question (rest-v1 26): the provider knows their connection.
package struct HomeRules: Hashable, Sendable {
    /// Of sign-ins that came about so: the metadata that says it, and its value (rest-v1 19).
    static let key = "hba_status"

    /// From where it is tried; empty stands for anywhere.
    package let networks: [NetworkPrefix]
    /// How long such a sign-in lasts at most.
    package let lifetime: Duration

    package init(networks: [NetworkPrefix], lifetime: Duration) {
        self.networks = networks
        self.lifetime = lifetime
    }

    /// Whether the provider is asked to sign a viewer in at `address` without a question.
    func isTried(from address: NetworkAddress) -> Bool {
        self.networks.isEmpty || self.networks.contains { $0.contains(address) }
    }
}
