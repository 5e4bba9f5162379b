import Clientless
import CommandLineTool
import Entitlement
import HTTPServer
import ServerAPI

/// The regions of the country, for operators whose providers do not serve all of it.
enum RegionSettings {
    /// Reads `regions`; whatever is not right is reported and left out.
    static func read(_ section: SettingsSection) -> [Region] {
        var names: Set<String> = []
        return section.sections(
            "regions", atMost: 200,
            "The regions that providers name in theirs; a viewer of one is shown first who serves it. The first that fits "
                + "counts; without any, all viewers are shown the same order"
        ) { section -> Region? in
            let name = section.readRequired(
                "name", .label(1...64), example: "South", "The name that providers use for it")
            let networks = section.readList(
                "networks", of: .network, default: [], atMost: 4096, "The networks of the viewers who live there")
            let languages = section.readList(
                "languages", of: .languageTag, default: [], atMost: 16,
                "Tags of languages that browsers ask for there alone, such as de-AT; they count where no network does")
            let prefixes = section.prefixes(of: networks, in: "networks")
            guard let name else { return nil }
            guard names.insert(name).inserted else {
                section.fault("name", "is \"\(name)\" again; another region has this name")
                return nil
            }
            if networks.isEmpty, languages.isEmpty {
                section.fault("networks", "is empty, and so is languages: no viewer can be found to live there")
            }
            return Region(name: name, networks: prefixes, languages: Set(languages))
        }
    }

    /// Reports the regions of a provider that the configuration does not have.
    static func check(_ names: [String], known: [Region], _ section: SettingsSection) {
        for name in names where !known.contains(where: { $0.name == name }) {
            let hint = nearestName(to: name, among: known.map(\.name)).map { "; perhaps \"\($0)\" is meant" } ?? ""
            section.fault("regions", "names \"\(name)\", which none of the regions is called\(hint)")
        }
    }
}

extension SettingKind where Value == String {
    fileprivate static var languageTag: SettingKind {
        .text("the tag of a language, such as \"de-AT\"") { $0.wholeMatch(of: /[A-Za-z0-9\-]{2,35}/) != nil }
    }
}

extension SettingsSection {
    /// Networks as the domain looks at them; those that it cannot tell from wider ones are reported and left out.
    func prefixes(of networks: [IPNetwork], in key: String) -> [NetworkPrefix] {
        networks.enumerated().compactMap { index, network in
            let prefix = NetworkPrefix(network.address.network, length: network.length)
            if prefix == nil {
                self.fault(key, "has an entry, number \(index + 1), that is no network of /64 or wider")
            }
            return prefix
        }
    }
}

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

/// How long what is given to boxes lasts: of a provider, and of an integration where that differs.
typealias TokenLifetimes = (authentication: Duration, authorization: Duration, mediaToken: Duration)

extension SettingsSection {
    /// Reads the settings of a provider, or of an integration.
    /// - Parameter defaults: what counts for one that is left out.
    func lifetimes(defaults: TokenLifetimes) -> TokenLifetimes {
        (
            self.read(
                "authenticationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
                default: defaults.authentication,
                "How long a sign-in lasts; with less than a day, clients that renew early never stop renewing"),
            self.read(
                "authorizationLifetime", .duration(.seconds(1) ... .seconds(366 * 86_400)),
                default: defaults.authorization, "How long a permit for one channel lasts"),
            self.read(
                "mediaTokenLifetime", .duration(.seconds(1) ... .seconds(3600)), default: defaults.mediaToken,
                "How long a media token is valid")
        )
    }
}
