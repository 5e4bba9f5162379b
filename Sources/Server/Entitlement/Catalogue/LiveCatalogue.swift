package import Clientless
import Synchronization

/// A catalogue with what answers for its providers.
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

    init(_ configured: ConfiguredCatalogue) {
        self.inForce = Mutex(configured)
    }

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
