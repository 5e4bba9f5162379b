import AccessEnabler
import CommandLineTool
import HTTPClient
import HTTPServer
import Lifecycle
import Observability
import POSIX

/// The agent: its desks, its events and its socket.
struct BoxAgent: Sendable {
    /// A channel brand that the box may be signed in for.
    struct Requestor: Sendable {
        let requestor: String
        let credentials: AccessEnabler.Credentials
        /// With the store of this requestor alone: signing out empties a store.
        var configuration: AccessEnabler.Configuration
        /// The file of that store: what else shares it is beside it.
        let stateFile: String
    }

    /// A Unix socket has no longer path.
    static let socketPathLimit = 107
    /// More than any box has; fifty are measured.
    static let requestorLimit = 256

    let requestors: [Requestor]
    /// The one of them whose sign-in is the account of the box; `nil` for a box without an account.
    let account: String?
    /// The server as the configuration has it.
    let serverName: String
    let socketPath: String
    let socketMode: UInt32
    /// The group of the socket; `nil` for the agent's own.
    let socketGroup: UnixGroup?
    /// The folder of permissions, reasons, and the lock of the one agent.
    let stateFolder: String
    /// The socket of systemd, which hears that callers can connect; `nil` without one.
    let notifySocket: String?
    let logger: Logger

    /// Runs until a signal ends it.
    /// - Throws: why it cannot run: ``CommandFault``.
    func run() async throws(CommandFault) {
        let lock: FileLock
        let permissions: PermissionDesk
        do throws(SystemError) {
            try Folder.makePrivate(self.stateFolder)
            lock = try FileLock("\(self.stateFolder)/agent.lock", patience: .zero)
        } catch {
            throw error == .locked
                ? self.anotherRuns : CommandFault("agent", "\(self.stateFolder): \(error).", .stateProblem)
        }
        let path = "\(self.stateFolder)/permissions.json"
        do throws(SystemError) {
            permissions = try PermissionDesk(path: path) { place in
                self.logger.warning(
                    "the permissions could not be understood; every application has to ask again", [.file: .text(place)]
                )
            }
        } catch {
            throw CommandFault("agent", "\(path): \(error).", .stateProblem)
        }
        try await self.serve(permissions)
        _ = consume lock
    }

    private func serve(_ permissions: PermissionDesk) async throws(CommandFault) {
        var follower = AccountFollower(of: self.account)
        let events = EventDesk(onPublish: follower.note)
        let rest = MemoryRest()
        let client = HTTPClient(self.requestors.first?.configuration.clientConfiguration ?? .init())
        let surroundings = DeskSurroundings(
            events: events, reasons: ReasonBook(path: "\(self.stateFolder)/reasons.json"), transport: client,
            serverName: self.serverName, logger: self.logger)
        let account = self.requestors.first { $0.requestor == self.account }.map {
            Desk($0, surroundings, firstPause: .zero)
        }
        let desks = self.desks(surroundings, account)
        follower.desks = desks.filter(\.usesAccount)
        // Before anyone can ask: to a caller a restart must not look like the end of a pairing.
        for desk in desks { await desk.showKeptCode() }
        let permissionWaits = AgentAPI.heldPermissions()
        let api = AgentAPI(
            desks: desks, account: account, events: events, permissions: permissions, permissionWaits: permissionWaits,
            callers: Callers(), server: self.serverName, noteActivity: rest.noteActivity)
        let server = self.server(of: api)
        let group = ServiceGroup(
            [
                ("events", events.room), ("permissions", permissionWaits), ("requestors", Desks(desks: desks)),
                ("memory", rest), ("account", follower), ("socket", server),
                ("ready", ReadySignal(server: server, agent: self)),
            ],
            // A terminal that closes does not end the agent.
            logger: self.logger, stopTimeout: .seconds(10), onHangUp: {})
        do {
            try await group.run()
        } catch {
            await client.shutDown()
            throw self.failure(error)
        }
        await client.shutDown()
    }

    private func server(of api: AgentAPI) -> HTTPServer {
        let server = HTTPServer(
            configuration: self.serverConfiguration, router: api.router, logger: self.logger, metrics: Metrics())
        server.onStopping {
            // The events that these callers wait for may still come, in the next run.
            api.events.room.close()
            api.permissionWaits.close()
        }
        return server
    }

    private func desks(_ surroundings: DeskSurroundings, _ account: Desk?) -> [Desk] {
        self.requestors.enumerated().map { index, requestor in
            if let account, requestor.requestor == account.requestor { return account }
            var requestor = requestor
            requestor.configuration.platformSSO = account.map { DeskAccount(desk: $0) }
            // Fifty requestors do not open fifty connections at once.
            return Desk(requestor, surroundings, firstPause: .milliseconds(100 * index))
        }
    }

    private var serverConfiguration: HTTPServerConfiguration {
        // Until the group is set, only its own user and root may connect.
        let mode = self.socketGroup == nil ? self.socketMode : self.socketMode & 0o600
        var configuration = HTTPServerConfiguration(addresses: [.unix(path: self.socketPath, mode: mode)])
        configuration.threads = 1
        configuration.maximumBodySize = AgentAPI.bodyLimit
        configuration.maximumConnections = 64
        configuration.maximumConnectionsPerUser = 16
        configuration.maximumHeldRequests = 64
        configuration.reservedDescriptors = 32
        configuration.identifiesPeers = true
        configuration.idleTimeout = .seconds(15)
        configuration.requestTimeout = .seconds(15)
        // Long enough not to wake the box for nothing.
        configuration.watchInterval = .seconds(30)
        configuration.stopTimeout = .seconds(3)
        return configuration
    }

    /// The state, or the socket.
    private var anotherRuns: CommandFault {
        CommandFault(
            "agent", "Another agent runs already, with the state in \(self.stateFolder) or on \(self.socketPath).",
            .alreadyRunning)
    }

    private func failure(_ error: any Error) -> CommandFault {
        guard let error = error as? HTTPServerError else {
            return error as? CommandFault ?? CommandFault("agent", "The agent ended: \(error).", .internalError)
        }
        return error.code == .addressInUse
            ? self.anotherRuns : CommandFault("agent", "\(error.description).", .addressUnavailable)
    }
}

private struct Desks: Service {
    let desks: [Desk]

    func run() async {
        await StopSignal.cancelling {
            await withTaskGroup(of: Void.self) { group in
                for desk in self.desks { group.addTask { await desk.run() } }
            }
        }
    }
}

/// Tells that callers can connect, once they can.
private struct ReadySignal: Service {
    let server: HTTPServer
    let agent: BoxAgent

    func run() async throws {
        _ = try await self.server.boundAddresses
        let path = self.agent.socketPath
        if let group = self.agent.socketGroup {
            do throws(SystemError) {
                try group.take(path, mode: self.agent.socketMode)
            } catch {
                throw CommandFault("agent", "\(path) cannot be given to its group: \(error).", .addressUnavailable)
            }
        }
        // Without an answer systemd ends the start by itself, and says so.
        if let socket = self.agent.notifySocket { try? ServiceManager.tell("READY=1", at: socket) }
        await StopSignal.current.wait()
    }
}
