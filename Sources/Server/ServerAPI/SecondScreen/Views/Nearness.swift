import HTTPServer

/// How the place a code was asked from lies to the place it is confirmed from.
struct Nearness: Hashable, Sendable {
    enum Standing: Hashable, Sendable {
        /// The same /24 of IPv4 or /64 of IPv6, or both on the server's own machine.
        case same
        case other
        /// Addresses of different families, as in homes that have both, or no address to compare.
        case unknown
    }

    let standing: Standing
    private let box: IPAddress?

    init(box: IPAddress?, viewer: IPAddress) {
        self.box = box
        guard let box, box.family != .unix, viewer.family != .unix else {
            self.standing = .unknown
            return
        }
        if box.isLoopback, viewer.isLoopback {
            self.standing = .same
        } else if box.family != viewer.family {
            self.standing = .unknown
        } else {
            self.standing = box.isSameNetwork(as: viewer) ? .same : .other
        }
    }

    var sentence: PhraseKey {
        switch self.standing {
        case .same: .sameNetwork
        case .other: .otherNetwork
        case .unknown: .unknownNetwork
        }
    }

    /// The network part of the box's address: enough to recognise a home, and less than a stranger's whole address.
    var network: Phrase {
        guard let box = self.box else { return Phrase(.networkUnknown) }
        if box.isLoopback && box.family != .unix { return Phrase(.networkLoopback) }
        switch box.family {
        case .v4:
            let part = box.description.split(separator: ".").dropLast().joined(separator: ".")
            return Phrase(.networkPart, ["network": .html(.leftToRight("\(part).x"))])
        case .v6: return Phrase(.networkPart, ["network": .html(.leftToRight(box.prefix))])
        case .unix: return Phrase(.networkUnknown)
        }
    }
}
