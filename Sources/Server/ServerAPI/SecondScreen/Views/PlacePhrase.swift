import Places

extension Place {
    /// `near Berlin, Germany`: a script says the country in the viewer's language; without it stands the file's name.
    var phrase: Phrase? {
        guard let name = ForeignText(self.country) else { return nil }
        let country = self.region.map { region -> TemplateValue in
            .html(HTML(unescaped: "<bdi data-region=\"\(region)\">\(HTML(escaping: name.text).markup)</bdi>"))
        }
        guard let town = self.town.flatMap({ ForeignText($0) }) else {
            return Phrase(.placeInCountry, ["country": country ?? .foreign(name)])
        }
        return Phrase(.placeNearTown, ["town": .foreign(town), "country": country ?? .foreign(name)])
    }
}
