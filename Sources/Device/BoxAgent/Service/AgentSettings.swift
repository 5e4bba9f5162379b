package import AccessEnabler
package import POSIX

/// The settings that the agent gets from its program.
package struct AgentSettings: Sendable {
    /// A channel brand that the box may be signed in for.
    package struct Requestor: Sendable {
        package var requestor: String
        package var credentials: AccessEnabler.Credentials
        /// With the store of this requestor alone: signing out empties a store.
        package var configuration: AccessEnabler.Configuration
        /// The file of that store: what else shares it is beside it.
        package var stateFile: String

        package init(
            _ requestor: String, credentials: AccessEnabler.Credentials, configuration: AccessEnabler.Configuration,
            stateFile: String
        ) {
            self.stateFile = stateFile
            self.requestor = requestor
            self.credentials = credentials
            self.configuration = configuration
        }
    }

    /// A Unix socket has no longer path.
    package static let socketPathLimit = 107
    /// More than any box has; fifty are measured.
    package static let requestorLimit = 256

    package var requestors: [Requestor]
    /// The one of them whose sign-in is the account of the box; `nil` for a box without an account.
    package var account: String?
    /// The server as the configuration has it.
    package var serverName: String
    /// The version of the program.
    package var programVersion: String
    package var socketPath: String
    /// Callers are told apart and need a permission, so every user may connect.
    package var socketMode: UInt32 = 0o666
    /// The group of the socket; `nil` for the agent's own.
    package var socketGroup: UnixGroup?
    /// The folder of permissions, reasons, and the lock of the one agent.
    package var stateFolder: String
    /// A `data:` URL of the QR code of an address; `nil` if it cannot be drawn.
    package var picture: @Sendable (String) -> String? = { _ in nil }
    /// Called once callers can connect, such as to tell systemd.
    package var whenReady: @Sendable () -> Void = {}

    package init(
        requestors: [Requestor], serverName: String, programVersion: String, socketPath: String, stateFolder: String
    ) {
        self.requestors = requestors
        self.serverName = serverName
        self.programVersion = programVersion
        self.socketPath = socketPath
        self.stateFolder = stateFolder
    }
}
