import Clientless
import Synchronization

/// The catalogue in force with the providers behind it, replaced as one when the configuration is read again.
///
/// Every look is one short lock. A caller that needs several parts to agree takes ``current`` once.
final class LiveCatalogue: Sendable {
    /// One configuration's catalogue and providers.
    private final class Configured: Sendable {
        let catalogue: Catalogue
        let providers: [MVPDID: any Provider]

        init(_ catalogue: Catalogue, _ providers: [MVPDID: any Provider]) {
            precondition(
                catalogue.mvpds.allSatisfy { $0.trial != nil || providers[$0.id] != nil },
                "every provider has an implementation")
            self.catalogue = catalogue
            self.providers = providers
        }
    }

    private let configured: Mutex<Configured>

    /// - Precondition: `providers` has an implementation of every provider of `catalogue` that is no trial.
    init(_ catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        self.configured = Mutex(Configured(catalogue, providers))
    }

    private var now: Configured { self.configured.withLock { $0 } }

    var current: Catalogue { self.now.catalogue }

    /// Puts another catalogue in force; calls under way may still end by the former.
    /// - Precondition: that of ``init(_:providers:)``.
    func replace(_ catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        let next = Configured(catalogue, providers)
        self.configured.withLock { $0 = next }
    }

    func requestor(_ id: RequestorID) -> Requestor? { self.now.catalogue.requestor(id) }

    func mvpd(_ id: MVPDID) -> MVPD? { self.now.catalogue.mvpd(id) }

    func integration(_ requestor: RequestorID, _ mvpd: MVPDID) -> Integration? {
        self.now.catalogue.integration(requestor, mvpd)
    }

    /// The implementation of a provider; `nil` for a trial and for a provider that is not in the catalogue.
    func provider(_ mvpd: MVPDID) -> (any Provider)? { self.now.providers[mvpd] }
}
