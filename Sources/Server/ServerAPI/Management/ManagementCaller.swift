import Clientless
import Entitlement

/// The client behind a management call, once that is proven.
struct ManagementCaller: Sendable {
    let clientID: String
    /// The requestors it may manage: the channels of its application.
    let requestors: Set<RequestorID>
    let remit: Remit

    /// Its name in the audit log. The ID of a client is no secret; what proves it is.
    var actor: String { "client \(self.clientID)" }

    /// The requestor a call names, if there is one and this caller may manage it.
    /// - Throws: 400 when it is left out or unknown, 403 when it is another application's (rest-v1 7.6).
    func requestor(
        _ parameter: String, in call: Call, _ catalogue: Catalogue
    ) throws(WireError) -> RequestorID {
        guard let id = RequestorID(try call.required(parameter)), catalogue.requestor(id) != nil
        else { throw .invalid(parameter) }
        guard self.remit.covers(id) else { throw .clientRefused }
        return id
    }
}

/// The scopes that open a management call; any of them does (rest-v1 10.5). The description names the first.
typealias ManagementScopes = [Scope]

extension ManagementScopes {
    /// Resetting trials (rest-v1 20.5).
    static let trials: [Scope] = [.temporaryPasses]
    /// Degradation rules (rest-v1 25). The scope has two names: one of the first generation, one of the second.
    static let degradation: [Scope] = [.decisions, .degradation]
    static let devices: [Scope] = [.devices]
    static let credentials: [Scope] = [.credentials]
    /// The counted events of boxes (rest-v1 E).
    static let analytics: [Scope] = [.analytics]
    /// A client that makes changes may read that they were made.
    static let audit: [Scope] = [.devices, .credentials]
}
