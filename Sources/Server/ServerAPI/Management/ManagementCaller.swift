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

/// The scopes that open a management call; any of them does (rest-v1 10.5).
struct ManagementScopes: Sendable {
    let scopes: [Scope]

    /// The one the description names.
    var described: String { self.scopes.first?.rawValue ?? "" }

    /// Resetting trials (rest-v1 20.5).
    static let trials = ManagementScopes(scopes: [.temporaryPasses])
    /// Degradation rules (rest-v1 25). The scope has two names: one of the first generation, one of the second.
    static let degradation = ManagementScopes(scopes: [.decisions, .degradation])
    /// The records of devices.
    static let devices = ManagementScopes(scopes: [.devices])
    /// Key pairs and applications.
    static let credentials = ManagementScopes(scopes: [.credentials])
    /// The counted events of boxes (rest-v1 E).
    static let analytics = ManagementScopes(scopes: [.analytics])
    /// A client that makes changes may read that they were made.
    static let audit = ManagementScopes(scopes: [.devices, .credentials])

    /// Whether a token and the application behind it both have one and the same of these scopes.
    func areMet(byToken token: Set<Scope>, application: Set<Scope>) -> Bool {
        self.scopes.contains { token.contains($0) && application.contains($0) }
    }
}
