import Clientless
import Entitlement
import Providers

/// The providers of a catalogue, each watched. A trial has one too, and nobody asks it.
struct WatchedProviders: Sendable {
    private let byID: [MVPDID: WatchedProvider]

    init(_ catalogue: Catalogue, _ accounts: any AccountStore) {
        self.byID = Dictionary(
            uniqueKeysWithValues: catalogue.mvpds.map { mvpd in
                (mvpd.id, WatchedProvider(LocalProvider(mvpd: mvpd.id, accounts: accounts)))
            })
    }

    var all: [MVPDID: any Provider] { self.byID }

    subscript(mvpd: MVPDID) -> WatchedProvider {
        guard let provider = self.byID[mvpd] else { preconditionFailure("\(mvpd) is no provider under test") }
        return provider
    }
}
