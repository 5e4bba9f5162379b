package import Clientless

/// What a node tells others of codes that were issued, and of clients that registered.
package struct IssuanceNotes: LimitNotes, Hashable {
    /// Places that were taken, less those that were given back.
    var places = NotedCounts<IssuanceLimiter.Source>()

    package init() {}

    package var isEmpty: Bool { self.places.isEmpty }

    package mutating func takeSheet() -> Self {
        var sheet = Self()
        sheet.places = self.places.takeSheet()
        return sheet
    }
}

extension IssuanceLimiter: SharedLimit {
    package func takeNotes(at uptime: Duration) -> IssuanceNotes { self.notes.take() }

    package func count(_ notes: IssuanceNotes, at uptime: Duration, now: Timestamp) {
        for (source, number) in notes.places.counts {
            let rate = self.rate(of: source)
            self.counts.update(source, initial: LeakyCount()) {
                $0.add(Double(number), at: uptime, leak: rate.perHour, most: rate.most)
            }
        }
    }

    private func rate(of source: Source) -> Rate {
        switch source {
        case .network(_, .address): self.settings.address
        case .network(_, .subscriber): self.settings.subscriber
        // No limit counts for a whole provider.
        case .network(_, .network), .network(_, .provider): self.settings.network
        case .relay: self.settings.relay
        case .credential: self.settings.credential
        }
    }
}
