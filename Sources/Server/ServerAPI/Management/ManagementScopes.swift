import Clientless

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
    /// Whoever makes changes may read that they were made.
    static let audit = ManagementScopes(scopes: [.devices, .credentials])

    /// Whether a token and the application behind it both have one and the same of these scopes.
    func areMet(byToken token: Set<Scope>, application: [String]) -> Bool {
        self.scopes.contains { token.contains($0) && application.contains($0.rawValue) }
    }
}
