import Clientless
import Entitlement

/// Which pages may read answers across origins (rest-v1 3.7).
enum OriginPolicy: Sendable {
    /// Every origin that asks.
    case any
    /// Those on registered domains, and this server's own.
    case registered(RegisteredOrigins)

    /// Whether a page of `origin` may read answers of some requestor.
    func admits(_ origin: String) -> Bool {
        switch self {
        case .any: true
        case .registered(let origins): origins.admits(origin)
        }
    }

    /// Whether a page of `origin` may call for `requestor`; for any where `requestor` is `nil`.
    func admits(_ origin: String, for requestor: RequestorID?) -> Bool {
        switch self {
        case .any: true
        case .registered(let origins): origins.admits(origin, for: requestor)
        }
    }
}

/// The registered domains of all requestors, as origins are held against them.
struct RegisteredOrigins: Sendable {
    private let domains: [RequestorID: [String]]
    private let all: [String]
    private let own: String

    /// - Parameter publicURL: this server's own address, whose pages may always call.
    init(_ catalogue: Catalogue, publicURL: String) {
        self.domains = Dictionary(uniqueKeysWithValues: catalogue.requestors.map { ($0.id, $0.domains) })
        self.all = Array(Set(catalogue.requestors.flatMap(\.domains)))
        self.own = publicURL.lowercased()
    }

    func admits(_ origin: String, for requestor: RequestorID? = nil) -> Bool {
        if origin.lowercased() == self.own { return true }
        // `null`, files and applications' own schemes have no host, and so no domain.
        guard let host = RedirectTarget.parts(of: origin)?.host else { return false }
        return RedirectTarget.isBelow(host, requestor.flatMap { self.domains[$0] } ?? self.all)
    }
}
