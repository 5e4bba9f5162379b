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
            self.catalogue = catalogue
            self.providers = providers
        }
    }

    private let inForce: Mutex<Configured>

    /// - Precondition: `providers` has an implementation of every provider of `catalogue` that is no trial.
    init(_ catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        Self.requireAll(of: catalogue, among: providers)
        self.inForce = Mutex(Configured(catalogue, providers))
    }

    /// A catalogue whose providers are never asked.
    init(withoutProviders catalogue: Catalogue) {
        self.inForce = Mutex(Configured(catalogue, [:]))
    }

    private static func requireAll(of catalogue: Catalogue, among providers: [MVPDID: any Provider]) {
        precondition(
            catalogue.mvpds.allSatisfy { $0.trial != nil || providers[$0.id] != nil },
            "every provider has an implementation")
    }

    private var now: Configured { self.inForce.withLock { $0 } }

    var current: Catalogue { self.now.catalogue }

    /// The catalogue with its providers.
    var configured: (catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        let now = self.now
        return (now.catalogue, now.providers)
    }

    /// Puts another catalogue in force; calls under way may still end by the former.
    /// - Precondition: that of ``init(_:providers:)``.
    func replace(_ catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        Self.requireAll(of: catalogue, among: providers)
        let next = Configured(catalogue, providers)
        self.inForce.withLock { $0 = next }
    }

    func requestor(_ id: RequestorID) -> Requestor? { self.now.catalogue.requestor(id) }

    func mvpd(_ id: MVPDID) -> MVPD? { self.now.catalogue.mvpd(id) }

    func integration(_ requestor: RequestorID, _ mvpd: MVPDID) -> Integration? {
        self.now.catalogue.integration(requestor, mvpd)
    }

    /// The implementation of a provider; `nil` for a trial and for a provider that is not in the catalogue.
    func provider(_ mvpd: MVPDID) -> (any Provider)? { self.now.providers[mvpd] }
}
