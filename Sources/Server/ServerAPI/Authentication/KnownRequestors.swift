import Clientless
import Entitlement
import TextCoding

/// The catalogue's requestors by the names calls give them: every call is looked up here, so a
/// look-up allocates nothing.
///
/// Names of callers are looked for and never added. So the hash needs no secret key, which would take four times as long.
final class KnownRequestors: Sendable {
    private typealias Known = (id: RequestorID, isStrict: Bool, usesEnhancedErrors: Bool)

    /// Each at the first free place from its name's hash on. The number of places is a power of two, at least half of
    /// them are free.
    private let places: [Known?]
    /// Whether no requestor's errors carry the fields of rest-v1 8.3.
    let haveClassicErrors: Bool

    init(_ catalogue: Catalogue) {
        var count = 2
        while count < 2 * catalogue.requestors.count { count *= 2 }
        var places = [Known?](repeating: nil, count: count)
        for requestor in catalogue.requestors {
            places[Self.place(of: requestor.id.text, in: places)] = (
                requestor.id, requestor.strictness == .strict, requestor.usesEnhancedErrors
            )
        }
        self.places = places
        self.haveClassicErrors = !catalogue.requestors.contains(where: \.usesEnhancedErrors)
    }

    subscript(name: String) -> RequestorID? { self.known(name)?.id }

    func contains(_ id: RequestorID) -> Bool { self.known(id.text) != nil }

    /// Whether its errors carry the fields of rest-v1 8.3.
    func usesEnhancedErrors(_ id: RequestorID) -> Bool {
        !self.haveClassicErrors && self.known(id.text)?.usesEnhancedErrors ?? false
    }

    /// Whether either requestor's calls are read strictly.
    func isStrict(_ one: RequestorID, or other: RequestorID) -> Bool {
        self.known(one.text)?.isStrict ?? false || (other != one && self.known(other.text)?.isStrict ?? false)
    }

    private func known(_ name: String) -> Known? { self.places[Self.place(of: name, in: self.places)] }

    /// The place of the requestor of this name, or the free one that it would get.
    private static func place(of name: String, in places: [Known?]) -> Int {
        let bytes = name.utf8
        var place = Int(bytes.span.hash) & (places.count - 1)
        while let known = places[place], known.id.text != name { place = (place + 1) & (places.count - 1) }
        return place
    }
}
