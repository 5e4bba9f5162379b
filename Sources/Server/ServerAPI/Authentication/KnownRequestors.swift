import Clientless
import Entitlement
import TextCoding

/// The catalogue's requestors by the names calls give them: every call is looked up here.
final class KnownRequestors: Sendable {
    private typealias Known = (id: RequestorID, isStrict: Bool, usesEnhancedErrors: Bool)

    private let names: NameTable
    private let known: [Known]
    /// Whether no requestor's errors carry the fields of rest-v1 8.3.
    let haveClassicErrors: Bool

    init(_ catalogue: Catalogue) {
        self.names = NameTable(catalogue.requestors.map { Array($0.id.text.utf8) })
        self.known = catalogue.requestors.map { ($0.id, $0.strictness == .strict, $0.usesEnhancedErrors) }
        self.haveClassicErrors = !catalogue.requestors.contains(where: \.usesEnhancedErrors)
    }

    subscript(name: ArraySlice<UInt8>) -> RequestorID? { self.names.index(of: name.span).map { self.known[$0].id } }

    func contains(_ id: RequestorID) -> Bool { self.known(id) != nil }

    /// Whether its errors carry the fields of rest-v1 8.3.
    func usesEnhancedErrors(_ id: RequestorID) -> Bool {
        !self.haveClassicErrors && self.known(id)?.usesEnhancedErrors ?? false
    }

    /// Whether either requestor's calls are read strictly.
    func isStrict(_ one: RequestorID, or other: RequestorID) -> Bool {
        self.known(one)?.isStrict ?? false || (other != one && self.known(other)?.isStrict ?? false)
    }

    private func known(_ id: RequestorID) -> Known? {
        let name = id.text.utf8
        return self.names.index(of: name.span).map { self.known[$0] }
    }
}
