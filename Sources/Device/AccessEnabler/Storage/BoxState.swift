/// What the state file holds: one entry for each server, so that a visit to another server forgets nothing.
struct BoxState: Codable, Sendable {
    /// The only format so far.
    static let currentVersion = 1
    private static let serverLimit = 16

    var version = BoxState.currentVersion
    /// Takes the place of a machine ID where the machine has none.
    var machineSalt: String?
    private var servers: [String: ServerState] = [:]

    init() {}

    /// What is known of a server.
    subscript(server base: String) -> ServerState {
        get { self.servers[base] ?? ServerState() }
        set {
            if self.servers[base] == nil, self.servers.count >= Self.serverLimit {
                // No order of use is kept; a box with this many servers is being tested, not used.
                if let first = self.servers.keys.min() { self.servers[first] = nil }
            }
            self.servers[base] = newValue
        }
    }
}

/// What is known of one server. Media tokens and decisions are never kept (rest-v1 28.1).
struct ServerState: Codable, Sendable {
    struct Client: Codable, Sendable {
        let id: String
        let secret: String
        /// SHA-256 of the software statement it was registered with; another statement registers anew.
        let statement: String
    }

    struct Token: Codable, Sendable {
        let text: String
        /// When to get a new one, in milliseconds by the server's clock.
        let renewAt: Int64
    }

    struct Code: Codable, Sendable {
        let code: String
        let requestor: String
        /// In milliseconds by the server's clock.
        let expires: Int64
        let loginURL: String?
    }

    struct SignIn: Codable, Sendable {
        let requestor: String
        let mvpd: String
        /// In milliseconds by the server's clock.
        let expires: Int64
    }

    var client: Client?
    var token: Token?
    var code: Code?
    var signIn: SignIn?
}
