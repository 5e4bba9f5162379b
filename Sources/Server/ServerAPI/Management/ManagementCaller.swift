import Clientless
import Entitlement

/// The client behind a management call, once that is proven.
struct ManagementCaller: Sendable {
    let clientID: String
    /// The requestors it may manage: the channels of its application.
    let requestors: Set<RequestorID>

    /// What the audit log calls it. The ID of a client is no secret; what proves it is.
    var actor: String { "client \(self.clientID)" }

    /// The requestor a call names, if there is one and this caller may manage it.
    /// - Throws: 400 when it is left out or unknown, 403 when it is another application's (rest-v1 7.6).
    func requestor(
        _ parameter: String, in call: Call, _ catalogue: Catalogue
    ) throws(WireError) -> RequestorID {
        guard let id = RequestorID(try call.required(parameter)), catalogue.requestor(id) != nil
        else { throw .invalid(parameter) }
        guard self.requestors.contains(id) else { throw .clientRefused }
        return id
    }

    /// Whether nothing of the catalogue is outside this caller's reach.
    func managesAll(of catalogue: Catalogue) -> Bool {
        catalogue.requestors.allSatisfy { self.requestors.contains($0.id) }
    }
}
