package import Clientless

/// The configuration of the operator: requestors, TV providers, and which of them work together (rest-v1 9).
///
/// A value: a changed configuration is a new catalogue.
package struct Catalogue: Sendable {
    /// In configured order; pages and `config` list them so.
    package let requestors: [Requestor]
    /// In configured order.
    package let mvpds: [MVPD]
    /// In configured order: the first that a viewer is in counts.
    package let regions: [Region]

    private let requestorsByID: [RequestorID: Requestor]
    private let mvpdsByID: [MVPDID: MVPD]

    /// - Precondition: identifiers are unique, and every integration names a provider of `mvpds`; the configuration
    ///   reader reports both with their place before a catalogue is made.
    package init(requestors: [Requestor], mvpds: [MVPD], regions: [Region] = []) {
        self.requestors = requestors
        self.mvpds = mvpds
        self.regions = regions
        self.requestorsByID = Dictionary(uniqueKeysWithValues: requestors.map { ($0.id, $0) })
        self.mvpdsByID = Dictionary(uniqueKeysWithValues: mvpds.map { ($0.id, $0) })
    }

    package func requestor(_ id: RequestorID) -> Requestor? { self.requestorsByID[id] }

    package func mvpd(_ id: MVPDID) -> MVPD? { self.mvpdsByID[id] }

    /// The providers a viewer of `requestor` may pick, as its viewers are shown them, in the order the requestor lists
    /// them.
    package func mvpds(of requestor: Requestor) -> [MVPD] {
        requestor.integrations.filter(\.isEnabled).compactMap { self.mvpdsByID[$0.mvpd]?.shown(by: $0) }
    }

    /// The name of the region that a viewer is in, as far as that is known: by the network, and if no region has that,
    /// by the languages their browser asks for, best first.
    /// - Parameter languages: tags in lower case.
    package func region(of address: NetworkAddress, languages: [String]) -> String? {
        if let near = self.regions.first(where: { region in region.networks.contains { $0.contains(address) } }) {
            return near.name
        }
        for language in languages {
            if let spoken = self.regions.first(where: { $0.languages.contains(language) }) { return spoken.name }
        }
        return nil
    }

    /// The same on a page of this server's own: a promotional trial is for a person, whom only a programmer can name
    /// (rest-v1 20.3).
    package func mvpdsOnOwnPage(of requestor: Requestor) -> [MVPD] {
        self.mvpds(of: requestor).filter { $0.trial?.isPromotional != true }
    }

    /// The providers whose viewers can look at their boxes, in configured order: those with accounts that a requestor
    /// works with.
    package var mvpdsOfViewers: [MVPD] {
        let used = Set(self.requestors.flatMap { $0.integrations.filter(\.isEnabled).map(\.mvpd) })
        return self.mvpds.filter { $0.trial == nil && used.contains($0.id) }
    }

    /// The pair of a requestor and a provider, when it exists and is enabled.
    package func integration(_ requestor: RequestorID, _ mvpd: MVPDID) -> Integration? {
        self.requestorsByID[requestor]?.integrations.first { $0.mvpd == mvpd && $0.isEnabled }
    }
}
