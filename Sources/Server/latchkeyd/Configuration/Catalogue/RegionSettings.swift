import CommandLineTool
import Entitlement
import HTTPServer
import JSON5
import ServerAPI

/// The regions of the country, for operators whose providers do not serve all of it.
enum RegionSettings {
    /// Reads `regions`; whatever is not right is reported and left out.
    static func read(_ section: SettingsSection) -> [Region] {
        var names: Set<String> = []
        let regions = section.sections(
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
        return regions.compactMap { $0 }
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
        .text("the tag of a language, such as \"de-AT\"") { text in
            (2...35).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                }
        }
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
