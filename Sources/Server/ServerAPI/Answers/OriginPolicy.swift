import Clientless
import Entitlement

/// Which pages may call and read answers across origins (rest-v1 3.7): any for compatible requestors, those of
/// registered domains for strict ones, and for all if the operator says so.
struct OriginPolicy: Sendable {
    /// Answers of public data, for every origin that asks.
    static let any = OriginPolicy(limited: [:], limitsAll: false, all: [], own: "")

    /// The registered domains of the requestors whose origins are limited.
    private let limited: [RequestorID: [String]]
    /// Whether compatible requestors are limited, too.
    private let limitsAll: Bool
    private let all: [String]
    /// This server's own address, whose pages may always call.
    private let own: String

    /// Whether any origin may be refused at all.
    var isLimiting: Bool { self.limitsAll || !self.limited.isEmpty }

    /// Whether a page of `origin` may read answers of some requestor.
    func admits(_ origin: String) -> Bool { !self.limitsAll || self.isRegistered(origin, self.all) }

    /// Whether a page of `origin` may call for `requestor`; for any where `requestor` is `nil`.
    func admits(_ origin: String, for requestor: RequestorID?) -> Bool {
        guard let requestor, let domains = self.limited[requestor] else { return self.admits(origin) }
        return self.isRegistered(origin, domains)
    }

    /// Whether `origin` is of a registered domain of some requestor, or this server's own.
    func isRegistered(_ origin: String) -> Bool { self.isRegistered(origin, self.all) }

    private func isRegistered(_ origin: String, _ domains: [String]) -> Bool {
        if origin.lowercased() == self.own { return true }
        // `null`, files and applications' own schemes have no host, and so no domain.
        guard let host = RedirectTarget.parts(of: origin)?.host else { return false }
        return RedirectTarget.isBelow(host, domains)
    }
}

extension OriginPolicy {
    init(_ catalogue: Catalogue, _ settings: APISettings) {
        let limitsAll = settings.limitsOrigins
        let requestors = catalogue.requestors.filter { limitsAll || $0.strictness == .strict }
        self.init(
            limited: Dictionary(uniqueKeysWithValues: requestors.map { ($0.id, $0.domains) }), limitsAll: limitsAll,
            all: Array(Set(catalogue.requestors.flatMap(\.domains))), own: settings.publicURL.lowercased())
    }
}
