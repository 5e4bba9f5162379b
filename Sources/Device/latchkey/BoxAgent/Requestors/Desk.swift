import AccessEnabler
import Clientless
import Lifecycle
import Observability
import POSIX
import TerminalQR

/// One requestor on this box: its sign-in, its one pairing, and its way to the server.
actor Desk {
    /// A login to be run; with a provider where the application chose one.
    struct PairingOrder: Sendable {
        let mvpdID: String?
    }

    nonisolated let requestor: String
    nonisolated let board = PairingBoard()
    nonisolated let stateFile: String
    nonisolated let storeHealth = StoreHealth()
    let enabler: AccessEnabler
    let events: EventDesk
    let reasons: ReasonBook
    nonisolated let serverName: String

    /// Whether the account of the box may sign this requestor in.
    nonisolated let usesAccount: Bool
    /// Whether the state had a sign-in at the last look.
    var isKnownSignedIn = false
    private var lastExchange: Duration?

    private let firstPause: Duration
    var contact = ContactPlan()
    /// Whether the server is asked for its configuration though it answered before.
    private var renewsConfiguration = false
    /// Given to end the pause before the next attempt to reach the server.
    private var wake = StopSignal()
    /// Callers that need the server; `nil` once the desk asks it no more.
    private var arrivals: [CheckedContinuation<EntitlementError?, Never>]? = []
    /// The code of an earlier run, on show before the server is reached, and how long it lives from the start on.
    var keptOrder: PairingOrder?
    var keptLeft: Duration?
    private let orders: AsyncStream<PairingOrder>
    private let post: AsyncStream<PairingOrder>.Continuation

    /// - Parameter firstPause: before the server is asked for the first time, unless a caller needs it.
    init(_ settings: BoxAgent.Requestor, _ surroundings: DeskSurroundings, firstPause: Duration) {
        self.firstPause = firstPause
        self.usesAccount = settings.configuration.platformSSO != nil
        self.requestor = settings.requestor
        self.stateFile = settings.stateFile
        self.serverName = surroundings.serverName
        self.events = surroundings.events
        self.reasons = surroundings.reasons
        (self.orders, self.post) = AsyncStream.makeStream(of: PairingOrder.self)
        self.enabler = AccessEnabler(
            credentials: settings.credentials,
            configuration: Self.configuration(settings, surroundings, self.board, self.storeHealth))
    }

    /// The settings of the library, which tells the board of a pairing and the events of everything.
    private static func configuration(
        _ settings: BoxAgent.Requestor, _ surroundings: DeskSurroundings, _ board: PairingBoard,
        _ health: StoreHealth
    ) -> AccessEnabler.Configuration {
        var configuration = settings.configuration
        configuration.transport = surroundings.transport
        configuration.isOneOfMany = true
        configuration.resumesRegistrationCode = true
        configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        let (requestor, logger) = (settings.requestor, surroundings.logger)
        configuration.logger = logger.named("AccessEnabler").with([.requestor: .text(requestor)])
        configuration.storeSetAside = { place in
            logger.warning(
                "a state file could not be used and was put aside",
                [.requestor: .text(requestor), .file: .text(place)])
        }
        let (events, server) = (surroundings.events, surroundings.serverName)
        configuration.storeOutcome = { fault in
            guard health.note(fault) else { return }
            guard let fault else {
                logger.notice("the state can be kept again", [.requestor: .text(requestor)])
                return
            }
            logger.error("the state cannot be kept", [.requestor: .text(requestor), .error: .text("\(fault)")])
            events.publish(
                .error(BoxEvent.Failure(code: AgentError.Code.storage.rawValue, message: fault.storeSentence)),
                requestor: requestor)
        }
        configuration.pairingProgress = { progress in
            let news = board.change { record in
                record.note(progress, at: Timestamp(milliseconds: WallClock.milliseconds()), server: server)
            }
            for item in news ?? [] { events.publish(item, requestor: requestor) }
        }
        return configuration
    }

    /// Lives until its task is cancelled. A code on show stays valid then, and the next run shows it again.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepContact() }
            group.addTask { await self.endKeptCode() }
            for await order in self.orders {
                group.addTask { await self.pair(order) }
            }
            group.cancelAll()
        }
        self.board.end(AgentError(.unreachable, "The agent stops."))
        await self.enabler.shutDown()
    }

    func order(_ order: PairingOrder) { self.post.yield(order) }

    // MARK: The way to the server

    private func keepContact() async {
        var pause: Duration? = self.firstPause
        while !Task.isCancelled {
            await self.rest(pause)
            guard !Task.isCancelled else { break }
            pause = await self.tryContact()
        }
        self.answerArrivals(EntitlementError(.cancelled))
        self.arrivals = nil
    }

    /// Waits for a caller that needs the server, and at most this long.
    private func rest(_ pause: Duration?) async {
        guard self.arrivals?.isEmpty == true else { return }
        let wake = StopSignal()
        self.wake = wake
        guard let pause else { return await wake.wait() }
        try? await withTimeout(pause) { await wake.wait() }
    }

    /// - Returns: the pause before the next attempt; `nil` when none is needed.
    private func tryContact() async -> Duration? {
        guard !self.contact.isReached || self.renewsConfiguration else {
            self.answerArrivals(nil)
            return nil
        }
        self.renewsConfiguration = false
        let wasSignedIn = (try? await self.signIn()) != nil
        var failure: EntitlementError?
        do throws(AccessEnabler.ConfigurationFailure) {
            try await self.enabler.configure(requestorID: self.requestor)
        } catch {
            failure = error.cause ?? EntitlementError(.unreachable)
        }
        guard !Task.isCancelled else { return nil }
        guard let failure else {
            if self.contact.reached(at: .uptime, jitter: Double.random(in: 0..<1)) {
                self.events.publish(.reachable, requestor: self.requestor)
            }
            if !wasSignedIn, self.usesAccount { await self.tellExchange() }
            self.answerArrivals(nil)
            if let order = self.keptOrder {
                self.keptOrder = nil
                self.order(order)
            }
            // A call may have failed meanwhile, before this loop waits for its word.
            return self.contact.isReached ? nil : .seconds(1)
        }
        let pause = self.lose(contact: failure)
        self.answerArrivals(failure)
        return pause
    }

    /// The server is out of reach; says so, the first time.
    private func lose(contact failure: EntitlementError) -> Duration {
        let (pause, isNews) = self.contact.failed(failure, at: .uptime, jitter: Double.random(in: 0..<1))
        if isNews {
            self.events.publish(.unreachable(message: self.trouble(failure).message), requestor: self.requestor)
        }
        return pause
    }

    private func answerArrivals(_ failure: EntitlementError?) {
        let arrivals = self.arrivals ?? []
        self.arrivals = []
        for continuation in arrivals { continuation.resume(returning: failure) }
    }

    /// Returns once the library is configured, and as the server has it now: what it said hours ago does not count.
    /// - Parameter renewing: asks the server in any case.
    func reach(renewing: Bool = false) async throws(AgentError) {
        if self.contact.isReached {
            guard renewing || self.contact.isOutdated(at: .uptime) else { return }
            self.renewsConfiguration = true
        }
        if let error = self.contact.refusal(at: .uptime) { throw self.trouble(error) }
        guard self.arrivals != nil else { throw AgentError(.unreachable, "The agent stops.") }
        let failure = await withCheckedContinuation { continuation in
            self.arrivals?.append(continuation)
            self.wake.give()
        }
        if let failure { throw self.trouble(failure) }
    }

    /// A call did not get through: from now on the server is asked whether it is back, until it is.
    func note(_ failure: EntitlementError) {
        guard failure.code == .unreachable || failure.code == .serverFault, self.contact.isReached else { return }
        _ = self.lose(contact: failure)
        self.wake.give()
    }

    /// Whether the account may be asked now; counts as asked then.
    func mayExchange(_ isNews: Bool, pause: Duration) -> Bool {
        let now = Duration.uptime
        guard isNews || self.lastExchange.map({ now - $0 >= pause }) ?? true else { return false }
        self.lastExchange = now
        return true
    }

    func trouble(_ error: EntitlementError) -> AgentError { AgentError(error, server: self.serverName) }
}

extension Duration {
    /// Time on a clock that cannot be set, and goes on while the box sleeps.
    static var uptime: Duration { ContinuousClock.now - self.begin }
    private static let begin = ContinuousClock.now
}

extension AccessEnabler.RegistrationCode {
    /// The code as callers get it.
    func issued(isResumed: Bool) -> BoxEvent.IssuedCode {
        BoxEvent.IssuedCode(
            code: self.code, displayCode: self.grouped, url: self.qrPayload, pageURL: self.loginURL,
            shortURL: self.shortURL, qr: (self.shortURL ?? self.qrPayload).flatMap { QRPicture.dataURL(of: $0) },
            expires: self.expiresAt.milliseconds, secondsLeft: self.timeLeft.components.seconds, isResumed: isResumed)
    }
}

/// The common part of all desks.
struct DeskSurroundings: Sendable {
    let events: EventDesk
    let reasons: ReasonBook
    let transport: any AccessEnabler.Transport
    let serverName: String
    let logger: Logger
}
