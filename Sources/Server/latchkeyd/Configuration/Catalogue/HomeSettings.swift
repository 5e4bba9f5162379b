import Entitlement
import JSON5

/// The group `home` of a TV provider.
enum HomeSettings {
    /// - Returns: `nil` when viewers are not signed in by their home.
    static func read(_ provider: SettingsSection) -> HomeRules? {
        provider.section(
            "home", "Viewers whom the provider knows by their connection, and signs in without a question"
        ) { section in
            let isTried = section.read("signIn", .flag, default: false, "Whether the provider is asked to")
            let networks = section.readList(
                "networks", of: .network, default: [], atMost: 1024,
                "From where; when empty, from anywhere, as the provider decides itself")
            let lifetime = section.read(
                "lifetime", .duration(.seconds(60) ... .seconds(366 * 86_400)), default: .seconds(86_400),
                "How long such a sign-in lasts at most")
            let prefixes = section.prefixes(of: networks, in: "networks")
            if !isTried, !networks.isEmpty { section.fault("networks", "is set, but signIn is not true") }
            return isTried ? HomeRules(networks: prefixes, lifetime: lifetime) : nil
        }
    }
}
