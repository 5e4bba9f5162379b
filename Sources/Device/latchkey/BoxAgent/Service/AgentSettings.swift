import AccessEnabler
import POSIX

/// The settings that the agent gets from its program.
struct AgentSettings: Sendable {
    /// A channel brand that the box may be signed in for.
    struct Requestor: Sendable {
        var requestor: String
        var credentials: AccessEnabler.Credentials
        /// With the store of this requestor alone: signing out empties a store.
        var configuration: AccessEnabler.Configuration
        /// The file of that store: what else shares it is beside it.
        var stateFile: String
    }

    /// A Unix socket has no longer path.
    static let socketPathLimit = 107
    /// More than any box has; fifty are measured.
    static let requestorLimit = 256

    var requestors: [Requestor]
    /// The one of them whose sign-in is the account of the box; `nil` for a box without an account.
    var account: String?
    /// The server as the configuration has it.
    var serverName: String
    /// The version of the program.
    var programVersion: String
    var socketPath: String
    /// Callers are told apart and need a permission, so every user may connect.
    var socketMode: UInt32 = 0o666
    /// The group of the socket; `nil` for the agent's own.
    var socketGroup: UnixGroup?
    /// The folder of permissions, reasons, and the lock of the one agent.
    var stateFolder: String
    /// A `data:` URL of the QR code of an address; `nil` if it cannot be drawn.
    var picture: @Sendable (String) -> String? = { _ in nil }
    /// Called once callers can connect, such as to tell systemd.
    var whenReady: @Sendable () -> Void = {}
}
