package import Clientless
import Synchronization
import TextCoding

/// The configuration of the operator: requestors, TV providers, and which of them work together (rest-v1 9).
///
/// It never changes: a changed configuration is a new catalogue.
package final class Catalogue: Sendable {
    /// In configured order; pages and `config` list them so.
    package let requestors: [Requestor]
    /// In configured order.
    package let mvpds: [MVPD]
    /// In configured order: the first that a viewer is in counts.
    package let regions: [Region]

    private let requestorNames, mvpdNames: NameTable
    /// Whether no requestor's errors carry the fields of rest-v1 8.3.
    package let haveClassicErrors: Bool

    /// - Precondition: identifiers are unique, and every integration names a provider of `mvpds`; the configuration
    ///   reader reports both with their place before a catalogue is made.
    package init(requestors: [Requestor], mvpds: [MVPD], regions: [Region] = []) {
        self.requestors = requestors
        self.mvpds = mvpds
        self.regions = regions
        self.requestorNames = NameTable(requestors.map { Array($0.id.text.utf8) })
        self.mvpdNames = NameTable(mvpds.map { Array($0.id.text.utf8) })
        self.haveClassicErrors = !requestors.contains(where: \.usesEnhancedErrors)
    }

    /// The requestor of a name as a call gives it: every call is looked up here.
    package func requestorID(named name: ArraySlice<UInt8>) -> RequestorID? {
        self.requestorNames.index(of: name.span).map { self.requestors[$0].id }
    }

    package func contains(_ id: RequestorID) -> Bool { self.place(of: id) != nil }

    /// Whether its errors carry the fields of rest-v1 8.3.
    package func usesEnhancedErrors(_ id: RequestorID) -> Bool {
        !self.haveClassicErrors && self.place(of: id).map { self.requestors[$0].usesEnhancedErrors } ?? false
    }

    package func isStrict(_ id: RequestorID) -> Bool {
        self.place(of: id).map { self.requestors[$0].strictness == .strict } ?? false
    }

    package func requestor(_ id: RequestorID) -> Requestor? { self.place(of: id).map { self.requestors[$0] } }
    package func mvpd(_ id: MVPDID) -> MVPD? { self.place(of: id).map { self.mvpds[$0] } }
    /// The provider that serves the viewers of `mvpd`, if it is another.
    package func proxy(of mvpd: MVPDID) -> MVPDID? { self.place(of: mvpd).flatMap { self.mvpds[$0].proxy } }

    private func place(of id: RequestorID) -> Int? {
        let name = id.text.utf8
        return self.requestorNames.index(of: name.span)
    }

    private func place(of id: MVPDID) -> Int? {
        let name = id.text.utf8
        return self.mvpdNames.index(of: name.span)
    }

    /// The providers a viewer of `requestor` may pick, as its viewers are shown them, in the order the requestor lists
    /// them.
    package func mvpds(of requestor: Requestor) -> [MVPD] {
        requestor.integrations.filter(\.isEnabled).compactMap { self.mvpd($0.mvpd)?.shown(by: $0) }
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
        self.place(of: requestor).flatMap { place in
            self.requestors[place].integrations.first { $0.mvpd == mvpd && $0.isEnabled }
        }
    }
}

package final class ConfiguredCatalogue: Sendable {
    package let catalogue: Catalogue
    package let providers: [MVPDID: any Provider]
    let decisionPoints: [MVPDID: any DecisionPoint]

    /// - Parameter decisionPoints: the services that decide for providers whose sign-ins do not.
    /// - Precondition: `providers` has an implementation of every provider of `catalogue` that is no trial.
    package init(
        _ catalogue: Catalogue, providers: [MVPDID: any Provider], decisionPoints: [MVPDID: any DecisionPoint] = [:]
    ) {
        precondition(
            catalogue.mvpds.allSatisfy { $0.trial != nil || providers[$0.id] != nil },
            "every provider has an implementation")
        self.catalogue = catalogue
        self.providers = providers
        self.decisionPoints = decisionPoints
    }

    /// A catalogue whose providers are never asked.
    init(withoutProviders catalogue: Catalogue) {
        self.catalogue = catalogue
        self.providers = [:]
        self.decisionPoints = [:]
    }
}

/// The catalogue in force, replaced as one with its providers when the configuration is read again.
///
/// Every look is one short lock. A caller that needs several parts to agree takes ``current`` once.
final class LiveCatalogue: Sendable {
    private let inForce: Mutex<ConfiguredCatalogue>

    init(_ configured: ConfiguredCatalogue) { self.inForce = Mutex(configured) }

    var configured: ConfiguredCatalogue { self.inForce.withLock { $0 } }
    var current: Catalogue { self.configured.catalogue }

    /// Puts another catalogue in force; calls under way may still end by the former.
    func replace(_ next: ConfiguredCatalogue) { self.inForce.withLock { $0 = next } }
    func requestor(_ id: RequestorID) -> Requestor? { self.configured.catalogue.requestor(id) }
    func mvpd(_ id: MVPDID) -> MVPD? { self.configured.catalogue.mvpd(id) }

    func integration(_ requestor: RequestorID, _ mvpd: MVPDID) -> Integration? {
        self.configured.catalogue.integration(requestor, mvpd)
    }

    /// The implementation of a provider; `nil` for a trial and for a provider that is not in the catalogue.
    func provider(_ mvpd: MVPDID) -> (any Provider)? { self.configured.providers[mvpd] }

    /// The service that decides for a provider; `nil` for one whose sign-ins do.
    func decisionPoint(_ mvpd: MVPDID) -> (any DecisionPoint)? { self.configured.decisionPoints[mvpd] }
}
