import Entitlement
import JSON5

/// The group `home` of a TV provider.
enum HomeSettings {
    /// - Returns: `nil` when viewers are not signed in by their home.
    static func read(_ provider: SettingsSection) -> HomeRules? {
        provider.section(
            "home", "Sign-in without a question for viewers whom the provider knows by their connection"
        ) { section in
            let isTried = section.read("signIn", .flag, default: false, "Whether the server asks the provider for it")
            let networks = section.readList(
                "networks", of: .network, default: [], atMost: 1024,
                "The networks of these viewers; when empty, the provider alone decides")
            let lifetime = section.read(
                "lifetime", .duration(.seconds(60) ... .seconds(366 * 86_400)), default: .seconds(86_400),
                "How long such a sign-in lasts at most")
            let prefixes = section.prefixes(of: networks, in: "networks")
            if !isTried, !networks.isEmpty { section.fault("networks", "is set, but signIn is not true") }
            return isTried ? HomeRules(networks: prefixes, lifetime: lifetime) : nil
        }
    }
}
