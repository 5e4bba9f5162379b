import AccessEnabler
import HTTPClient
import HTTPServer
import Lifecycle
import Observability
import POSIX

/// The agent: its desks, its events and its socket.
struct BoxAgent: Sendable {
    let settings: AgentSettings
    let logger: Logger

    /// Runs until a signal ends it.
    /// - Throws: why it cannot run: ``AgentFailure``.
    func run() async throws(AgentFailure) {
        let folder = self.settings.stateFolder
        let lock: FileLock
        let permissions: PermissionDesk
        do throws(SystemError) {
            try Folder.makePrivate(folder)
            lock = try FileLock("\(folder)/agent.lock", patience: .zero)
        } catch {
            throw error == .locked ? .anotherRuns : .state("\(folder): \(error)")
        }
        let path = "\(folder)/permissions.json"
        do throws(SystemError) {
            permissions = try PermissionDesk(path: path) { place in
                self.logger.warning(
                    "the permissions could not be understood; every application has to ask again", [.file: .text(place)]
                )
            }
        } catch {
            throw .state("\(path): \(error)")
        }
        try await self.serve(permissions)
        _ = consume lock
    }

    private func serve(_ permissions: PermissionDesk) async throws(AgentFailure) {
        var follower = AccountFollower(of: self.settings.account)
        let events = EventDesk(onPublish: follower.note)
        let rest = MemoryRest()
        let client = HTTPClient(self.settings.requestors.first?.configuration.clientConfiguration ?? .init())
        let surroundings = DeskSurroundings(
            events: events, reasons: ReasonBook(path: "\(self.settings.stateFolder)/reasons.json"), transport: client,
            serverName: self.settings.serverName, logger: self.logger, picture: self.settings.picture)
        let account = self.settings.requestors.first { $0.requestor == self.settings.account }.map {
            AccountKeeper(desk: Desk($0, surroundings, firstPause: .zero))
        }
        let desks = self.desks(surroundings, account)
        follower.desks = desks.filter(\.usesAccount)
        // Before anyone can ask: to a caller a restart must not look like the end of a pairing.
        for desk in desks { await desk.showKeptCode() }
        let permissionWaits = HeldCalls(AgentAPI.permissionWaitLimits)
        let api = AgentAPI(
            desks: desks, account: account, events: events, permissions: permissions, permissionWaits: permissionWaits,
            callers: Callers(), server: self.settings.serverName, program: self.settings.programVersion,
            noteActivity: rest.noteActivity)
        let server = self.server(of: api)
        let group = ServiceGroup(
            [
                .init("events", events.room), .init("permissions", permissionWaits),
                .init("requestors", Desks(desks: desks)), .init("memory", rest),
                .init("account", follower),
                .init("socket", server),
                .init("ready", ReadySignal(server: server, settings: self.settings)),
            ],
            // A terminal that closes does not end the agent.
            logger: self.logger, stopTimeout: .seconds(10), onHangUp: {})
        do {
            try await group.run()
        } catch {
            await client.shutDown()
            throw AgentFailure(error)
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

    private func desks(_ surroundings: DeskSurroundings, _ account: AccountKeeper?) -> [Desk] {
        self.settings.requestors.enumerated().map { index, requestor in
            if let account, requestor.requestor == account.desk.requestor { return account.desk }
            var requestor = requestor
            requestor.configuration.platformSSO = account.map { DeskAccount(keeper: $0) }
            // Fifty requestors do not open fifty connections at once.
            return Desk(requestor, surroundings, firstPause: .milliseconds(100 * index))
        }
    }

    private var serverConfiguration: HTTPServerConfiguration {
        // Until the group is set, only its own user and root may connect.
        let mode = self.settings.socketGroup == nil ? self.settings.socketMode : self.settings.socketMode & 0o600
        var configuration = HTTPServerConfiguration(addresses: [.unix(path: self.settings.socketPath, mode: mode)])
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
}

/// Why the agent cannot run.
enum AgentFailure: Error, Hashable, Sendable {
    /// Another one has the state, or the socket.
    case anotherRuns
    /// Its folder, or a file in it.
    case state(String)
    /// The socket.
    case socket(String)
    case other(String)

    init(_ error: any Error) {
        guard let error = error as? HTTPServerError else {
            self = (error as? AgentFailure) ?? .other("\(error)")
            return
        }
        self = error.code == .addressInUse ? .anotherRuns : .socket(error.description)
    }
}

/// The desks, as one service.
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

extension StopSignal {
    /// Runs `work`, and cancels it once the service is to stop; returns then, also if it ended before.
    static func cancelling(_ work: @escaping @Sendable () async -> Void) async {
        let stop = StopSignal.current
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await work() }
            await stop.wait()
            group.cancelAll()
        }
    }
}

/// Tells that callers can connect, once they can.
private struct ReadySignal: Service {
    let server: HTTPServer
    let settings: AgentSettings

    func run() async throws {
        _ = try await self.server.boundAddresses
        if let group = self.settings.socketGroup {
            do throws(SystemError) {
                try SocketFile(self.settings.socketPath).share(with: group, mode: self.settings.socketMode)
            } catch {
                throw AgentFailure.socket("\(self.settings.socketPath) cannot be given to its group: \(error)")
            }
        }
        self.settings.whenReady()
        await StopSignal.current.wait()
    }
}
