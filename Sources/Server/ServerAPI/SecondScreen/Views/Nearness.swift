import HTTPServer
import Places

/// How the place a code was asked from lies to the place it is confirmed from, as far as it is known.
struct Nearness: Hashable, Sendable {
    /// `nil` if the distance is unknown. The same network is one address of the Internet, one /64 of IPv6, or one network of
    /// a home in which this server stands.
    let sentence: PhraseKey?
    private let box: IPAddress?

    /// - Parameter viewer: where the viewer's browser is; `nil` when the address is a proxy's, whose callers all have it.
    init(box: IPAddress?, viewer: IPAddress?) {
        let box = box.flatMap { $0.family == .unix || $0.isLoopback ? nil : $0 }
        self.box = box
        // A caller from this very machine is often a proxy that was not configured.
        guard let box, let viewer, viewer.family != .unix, !viewer.isLoopback, box.family == viewer.family else {
            self.sentence = nil
            return
        }
        if !box.isSameNetwork(as: viewer) {
            self.sentence = .otherNetwork
        } else if box == viewer || box.family == .v6 || box.isPrivate {
            self.sentence = .sameNetwork
        } else {
            // Neighbours in one /24 of a provider's are strangers.
            self.sentence = nil
        }
    }

    /// The network part of the box's address: enough to recognise a home, and less than a stranger's whole address.
    var network: Phrase? {
        guard let box = self.box else { return nil }
        switch box.family {
        case .v4:
            let part = box.description.split(separator: ".").dropLast().joined(separator: ".")
            return Phrase(.networkPart, ["network": .html(.leftToRight("\(part).x"))])
        case .v6: return Phrase(.networkPart, ["network": .html(.leftToRight(box.prefix))])
        case .unix: return nil
        }
    }
}

extension IPAddress {
    /// Whether the address is of a home or an office (RFC 1918), which alone has it.
    fileprivate var isPrivate: Bool {
        guard self.family == .v4 else { return false }
        return switch self.firstBytes {
        case (10, _), (192, 168), (172, 16...31): true
        case _: false
        }
    }
}

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
