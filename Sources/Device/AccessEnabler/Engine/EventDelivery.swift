import Observability
import Synchronization

/// Hands every event to the delegates and the subscribers, one after the other, in the order they were reported
/// (access-enabler 2.1).
final class EventDelivery: Sendable {
    private enum Item: Sendable {
        case event(EntitlementEvent)
        /// A callback of its own, in its place among the others.
        case callback(@Sendable () -> Void)
        /// Everything before it has been delivered.
        case mark(CheckedContinuation<Void, Never>)
    }

    private struct State: Sendable {
        weak var delegate: (any EntitlementDelegate)?
        weak var statusDelegate: (any EntitlementStatus)?
        var hasWarned = false
        var isClosed = false
    }

    private let dispatcher: any AccessEnabler.CallbackDispatcher
    private let logger: Logger
    private let hub: Broadcast<EntitlementEvent>
    private let state = Mutex(State())
    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation

    init(dispatcher: any AccessEnabler.CallbackDispatcher, logger: Logger) {
        self.dispatcher = dispatcher
        self.logger = logger
        self.hub = Self.hub(logger)
        (self.items, self.continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .unbounded)
    }

    /// Reports for subscribers, of which the newest 256 wait for each.
    static func hub(_ logger: Logger) -> Broadcast<EntitlementEvent> {
        Broadcast(backlog: 256) {
            logger.error("[AccessEnabler] a subscriber of events does not read them; the oldest are dropped")
        }
    }

    var events: AsyncStream<EntitlementEvent> { self.hub.subscribe() }

    func setDelegate(_ delegate: (any EntitlementDelegate)?) { self.state.withLock { $0.delegate = delegate } }

    func setStatusDelegate(_ delegate: (any EntitlementStatus)?) {
        self.state.withLock { $0.statusDelegate = delegate }
    }

    func report(_ event: EntitlementEvent) { self.continuation.yield(.event(event)) }

    /// Calls `callback` like a delegate's, and after everything reported so far; at once when nothing is delivered any
    /// more, since its caller waits for it.
    func report(callback: @escaping @Sendable () -> Void) {
        if case .terminated = self.continuation.yield(.callback(callback)) { callback() }
    }

    /// Returns when everything reported so far was delivered (access-enabler D-47).
    func settle() async {
        await withCheckedContinuation { continuation in
            let isClosed = self.state.withLock { state in
                if !state.isClosed { self.continuation.yield(.mark(continuation)) }
                return state.isClosed
            }
            if isClosed { continuation.resume() }
        }
    }

    func run() async {
        for await item in self.items {
            switch item {
            case .event(let event): await self.deliver(event)
            case .callback(let callback): await self.dispatcher.deliver(callback)
            case .mark(let continuation): continuation.resume()
            }
        }
        self.hub.close()
    }

    func close() {
        self.state.withLock { state in
            state.isClosed = true
            self.continuation.finish()
        }
    }

    private func deliver(_ event: EntitlementEvent) async {
        self.hub.send(event)
        if case .status(let status) = event {
            guard let delegate = self.state.withLock({ $0.statusDelegate }) else { return self.warnOnce() }
            return await self.dispatcher.deliver { delegate.status(status.dictionary) }
        }
        guard let delegate = self.state.withLock({ $0.delegate }) else { return }
        await self.dispatcher.deliver { delegate.take(event) }
    }

    private func warnOnce() {
        let isFirst = self.state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned && state.delegate != nil
        }
        if isFirst { self.logger.error("[AccessEnabler] there is no status delegate; it is mandatory") }
    }
}

extension EntitlementDelegate {
    fileprivate func take(_ event: EntitlementEvent) {
        switch event {
        case .requestorComplete(let status): self.setRequestorComplete(status)
        case .authenticationStatus(let status, let code): self.setAuthenticationStatus(status, errorCode: code)
        case .providerDialog(let mvpds): self.displayProviderDialog(mvpds)
        case .navigate(let request):
            if request.secureBrowserRequired {
                self.navigateToUrl(request.url, useSVC: true)
            } else {
                self.navigateToUrl(request.url)
            }
        case .registrationCode, .status: break
        case .preauthorizedResources(let resources): self.preauthorizedResources(resources)
        case .token(let token): self.setToken(token.token, forResource: token.resource)
        case .tokenRequestFailed(let failure):
            self.tokenRequestFailed(failure.resource, errorCode: failure.code, errorDescription: failure.description)
        case .selectedProvider(let mvpd): self.selectedProvider(mvpd)
        case .presentTvProviderDialog(let request): self.presentTvProviderDialog(request)
        case .dismissTvProviderDialog(let request): self.dismissTvProviderDialog(request)
        case .metadata(let result, let key, let arguments):
            self.setMetadataStatus(result.value, encrypted: result.isEncrypted, forKey: key, andArguments: arguments)
        case .tracking(let event, let data): self.sendTrackingData(data, forEventType: event)
        }
    }
}
