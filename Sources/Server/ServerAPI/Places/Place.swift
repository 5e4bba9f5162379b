/// Roughly where an address of the Internet is used, as an operator's file says it.
package struct Place: Hashable, Sendable {
    /// The country, mostly as two letters (ISO 3166-1 alpha-2), else as the file calls it.
    package let country: String
    /// What the country is called where a page cannot say it in the viewer's language; `nil` where the file does not say.
    package let countryName: String?
    /// The city, or the region where the file names no city.
    package let town: String?

    package init(country: String, countryName: String? = nil, town: String? = nil) {
        self.country = country
        self.countryName = countryName
        self.town = town
    }

    /// The country's two letters in capitals; `nil` where the file has something else.
    var region: String? {
        let letters = self.country.utf8
        guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) && $0 & 0xC0 == 0x40 })
        else { return nil }
        return self.country.uppercased()
    }

    /// `near Berlin, Germany`: a script says the country in the viewer's language; without it stands what the file says.
    var phrase: Phrase? {
        guard let name = ForeignText(self.countryName ?? self.country) else { return nil }
        let country = self.region.map { region -> TemplateValue in
            .html(HTML(unescaped: "<bdi data-region=\"\(region)\">\(HTML(escaping: name.text).markup)</bdi>"))
        }
        guard let town = self.town.flatMap({ ForeignText($0) }) else {
            return Phrase(.placeInCountry, ["country": country ?? .foreign(name)])
        }
        return Phrase(.placeNearTown, ["town": .foreign(town), "country": country ?? .foreign(name)])
    }
}
