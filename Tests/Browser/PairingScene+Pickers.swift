import RealPrograms

extension PairingScene {
    static func offer(_ names: [String], in configuration: inout JSON) {
        let new = names.enumerated().map { place, name -> JSON in
            ["id": .text("Many\(place)"), "name": .text(name), "kind": "local"]
        }
        configuration["providers"] = .list((configuration["providers"]?.list ?? []) + new)
        let integrations = new.compactMap { $0["id"] }.map { id -> JSON in ["provider": id] }
        self.integrate(&configuration) { $0 + integrations }
    }

    /// Leaves the one provider that boxes may have and pages do not offer: a free preview for persons that a box names.
    static func offerNothing(in configuration: inout JSON) {
        configuration["providers"] = .list(
            (configuration["providers"]?.list ?? []).map { provider in
                guard provider["id"]?.text == "FreePreview" else { return provider }
                var provider = provider
                provider["trial"] = ["lifetime": "10m", "identityKey": "email"]
                return provider
            })
        self.integrate(&configuration) { $0.filter { $0["provider"]?.text == "FreePreview" } }
    }
}

/// Names of providers as there are: mostly of two words, of which many share one.
enum ProviderNames {
    static let many: [String] = {
        let first = [
            "Aurora", "Baltic", "Cascade", "Delta", "Ember", "Fjord", "Granite", "Harbor", "Indigo", "Juniper",
            "Krypton", "Lagoon", "Meridian", "Nimbus", "Öptima", "Prairie", "Quartz", "Rívers", "Summit", "Tundra",
            "Umbra", "Vertex", "Willow", "Xenon", "Yonder",
        ]
        let second = [
            "Broadband", "Cable", "Digital", "Entertain", "Fibre", "Gigabit", "Home", "Internet", "Kabel", "Link",
            "Media", "Network", "Online", "Plus", "Réseau", "Satellite", "Télé", "Union", "Vision", "Wireless",
        ]
        let names = first.flatMap { one in second.map { "\(one) \($0)" } }
        return names.dropLast() + ["Żółte Łącze"]
    }()
}
