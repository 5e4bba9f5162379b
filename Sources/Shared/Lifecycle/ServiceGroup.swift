package import Observability
import POSIX

/// Runs services until a signal, or the first that fails, ends them all.
///
/// They start in the order given, each once the one before has started, and stop in reverse order. SIGTERM and SIGINT
/// ask to stop; a second signal, or the deadline, cancels the services that still run; a third kills the process.
package struct ServiceGroup: Sendable {
    package typealias Member = (name: StaticString, service: any Service)

    private let members: [Member]
    private let logger: Logger
    private let stopTimeout: Duration
    private let handlesSignals: Bool
    private let onHangUp: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - handlesSignals: whether SIGTERM and SIGINT of the process are this group's.
    ///   - onHangUp: called for each SIGHUP, on a thread of its own; the signal then never ends the process, not even
    ///     after the group. Without it SIGHUP does what it did before.
    package init(
        _ members: [Member], logger: Logger, stopTimeout: Duration = .seconds(30), handlesSignals: Bool = true,
        onHangUp: (@Sendable () -> Void)? = nil
    ) {
        self.members = members
        self.logger = logger.named("lifecycle")
        self.stopTimeout = stopTimeout
        self.handlesSignals = handlesSignals
        self.onHangUp = onHangUp
    }

    /// Runs until everything has stopped. Giving `StopSignal.current` stops it like a signal of the process.
    /// - Throws: what the first failing service threw, or `ServiceEndedEarly`.
    package func run() async throws {
        let (events, mailbox) = AsyncStream.makeStream(of: ServiceOrder.Event.self)
        let signals = self.handlesSignals ? self.listenToSignals(mailbox) : nil
        if signals == nil, self.onHangUp != nil { Signal.hangUp.ignore() }
        defer { signals?.stop(ignoring: self.onHangUp == nil ? nil : .hangUp) }
        let signal = StopSignal.current
        let failure = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await signal.wait()
                if signal.isGiven { mailbox.yield(.stopRequested) }
            }
            return await self.act(on: events, mailbox: mailbox, in: &group)
        }
        if let failure { throw failure }
    }

    private func act(
        on events: AsyncStream<ServiceOrder.Event>, mailbox: AsyncStream<ServiceOrder.Event>.Continuation,
        in group: inout TaskGroup<Void>
    ) async -> (any Error)? {
        var order = ServiceOrder(names: self.members.map { "\($0.name)" })
        let stops = self.members.map { _ in StopSignal() }
        var actions = order.begin()
        var iterator = events.makeAsyncIterator()
        defer { group.cancelAll() }
        while true {
            for action in actions {
                switch action {
                case .start(let index):
                    self.start(index, stop: stops[index], mailbox: mailbox, in: &group)
                case .stop(let index):
                    self.logger.info("stopping", [.service: .text("\(self.members[index].name)")])
                    stops[index].give()
                case .startDeadline:
                    let timeout = self.stopTimeout
                    group.addTask {
                        if (try? await Task.sleep(for: timeout)) != nil { mailbox.yield(.deadlinePassed) }
                    }
                case .cancel:
                    self.logger.warning("services did not stop in time and are cancelled")
                    group.cancelAll()
                case .finish: return order.failure
                }
            }
            // A cancelled task takes its services with it, being its children; that they end is then no failure of theirs.
            guard let event = await iterator.next(), !Task.isCancelled else { return order.failure }
            self.report(event)
            actions = order.handle(event)
        }
    }

    private func start(
        _ index: Int, stop: StopSignal, mailbox: AsyncStream<ServiceOrder.Event>.Continuation,
        in group: inout TaskGroup<Void>
    ) {
        let service = self.members[index].service
        group.addTask {
            await StopSignal.$current.withValue(stop) {
                do {
                    try await service.run()
                    mailbox.yield(.ended(index, nil))
                } catch {
                    mailbox.yield(.ended(index, error))
                }
            }
        }
        group.addTask {
            // When this throws, `run` does too and says why.
            if (try? await service.waitUntilStarted()) != nil { mailbox.yield(.started(index)) }
        }
    }

    private func report(_ event: ServiceOrder.Event) {
        switch event {
        case .started(let index):
            self.logger.info("started", [.service: .text("\(self.members[index].name)")])
        case .ended(let index, let error):
            let name = LogValue.text("\(self.members[index].name)")
            if let error {
                self.logger.error("service failed", [.service: name, .error: .text("\(error)")])
            } else {
                self.logger.info("stopped", [.service: name])
            }
        case .stopRequested:
            self.logger.info("asked to stop")
        case .deadlinePassed:
            break
        }
    }

    private func listenToSignals(_ mailbox: AsyncStream<ServiceOrder.Event>.Continuation) -> SignalListener? {
        let onHangUp = self.onHangUp
        return SignalListener(onHangUp == nil ? [.terminate, .interrupt] : [.terminate, .interrupt, .hangUp]) {
            signal, count in
            guard signal != .hangUp else {
                onHangUp?()
                return
            }
            // Both, as the third may be of either kind; and before the second has an effect.
            if count == 2 { for signal in [Signal.terminate, .interrupt] { signal.restoreDefault() } }
            mailbox.yield(.stopRequested)
        }
    }
}

/// A service returned before it was told to stop.
package struct ServiceEndedEarly: Error, Hashable, CustomStringConvertible {
    package let name: String

    package var description: String { "\(self.name) ended before it was told to stop" }
}

// Lifecycle: services that live as long as the program, stopping in reverse order, and deadlines.
//
// It leaves to its neighbours: what each service does with its time, and how a signal reaches the program (POSIX).

/// Something that lives as long as the program.
package protocol Service: Sendable {
    /// Lives until `StopSignal.current` says stop, then finishes what is in flight and returns. Returning earlier is a
    /// failure of the program. When its task is cancelled, time is up: let go of everything and return.
    func run() async throws

    /// Returns once the service does what others need it for; the next service starts only then. Throws when it never
    /// will, as `run` does. At once by default.
    func waitUntilStarted() async throws
}

extension Service {
    package func waitUntilStarted() async throws {}
}
