import Clientless
import Entitlement

/// The catalogue's requestors by the names calls give them: every call is looked up here, so a
/// look-up allocates nothing.
final class KnownRequestors: Sendable {
    private let ids: [String: RequestorID]
    private let strict: Set<RequestorID>
    private let enhanced: Set<RequestorID>

    init(_ catalogue: Catalogue) {
        self.ids = Dictionary(uniqueKeysWithValues: catalogue.requestors.map { ($0.id.text, $0.id) })
        self.strict = Set(catalogue.requestors.filter { $0.strictness == .strict }.map(\.id))
        self.enhanced = Set(catalogue.requestors.filter(\.usesEnhancedErrors).map(\.id))
    }

    subscript(name: String) -> RequestorID? { self.ids[name] }

    func contains(_ id: RequestorID) -> Bool { self.ids[id.text] != nil }

    /// Whether its errors carry the fields of rest-v1 8.3.
    func usesEnhancedErrors(_ id: RequestorID) -> Bool { !self.enhanced.isEmpty && self.enhanced.contains(id) }

    /// Whether no requestor's errors do.
    var haveClassicErrors: Bool { self.enhanced.isEmpty }

    /// Whether either requestor's calls are read strictly.
    func isStrict(_ one: RequestorID, or other: RequestorID) -> Bool {
        !self.strict.isEmpty && (self.strict.contains(one) || (other != one && self.strict.contains(other)))
    }
}
