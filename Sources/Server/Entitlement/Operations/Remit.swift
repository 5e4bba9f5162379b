package import Clientless

/// Which requestors a caller may touch: what belongs to one of them, and what speaks for none beside them.
package struct Remit: Hashable, Sendable {
    /// Everything, for the operator's own commands.
    package static let all = Remit(requestors: nil)

    /// `nil` is all.
    let requestors: Set<RequestorID>?

    private init(requestors: Set<RequestorID>?) {
        self.requestors = requestors
    }

    /// The remit of an application's clients.
    package init(of application: ApplicationRecord) {
        self.init(requestors: Set(application.requestors))
    }

    package func covers(_ requestor: RequestorID) -> Bool { self.requestors?.contains(requestor) ?? true }

    /// Whether it covers what speaks for `requestors`. A record that is not there, or speaks for no requestor, is for
    /// operators alone.
    func covers(allOf requestors: (some Collection<RequestorID>)?) -> Bool {
        guard self.requestors != nil else { return true }
        guard let requestors, !requestors.isEmpty else { return false }
        return requestors.allSatisfy(self.covers)
    }

    package func coversAll(of catalogue: Catalogue) -> Bool { catalogue.requestors.allSatisfy { self.covers($0.id) } }
}
