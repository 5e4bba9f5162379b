/// Decides in which order services start and stop; does nothing itself.
///
/// They start one by one in the order given, and stop one by one in reverse: a service can rely on those before it
/// from its first moment to its last.
struct ServiceOrder {
    enum Event: Sendable {
        case started(Int)
        /// `run()` returned (`nil`) or threw.
        case ended(Int, (any Error)?)
        /// The program is asked to stop; asked again: at once.
        case stopRequested
        case deadlinePassed
    }

    enum Action: Equatable {
        case start(Int)
        case stop(Int)
        case startDeadline
        case cancel
        /// All services have ended.
        case finish
    }

    private enum Phase { case up, stopping, cancelled }

    private let names: [String]
    private var phase = Phase.up
    private var running: Set<Int> = []
    private(set) var failure: (any Error)?

    init(names: [String]) { self.names = names }

    mutating func begin() -> [Action] { self.names.isEmpty ? [.finish] : self.start(0) }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .started(let index):
            return self.phase == .up && index + 1 < self.names.count ? self.start(index + 1) : []
        case .ended(let index, let error):
            return self.ended(index, error)
        case .stopRequested:
            switch self.phase {
            case .up: return self.beginStopping()
            case .stopping: return self.cancel()
            case .cancelled: return []
            }
        case .deadlinePassed:
            return self.phase == .stopping ? self.cancel() : []
        }
    }

    private mutating func start(_ index: Int) -> [Action] {
        self.running.insert(index)
        return [.start(index)]
    }

    private mutating func ended(_ index: Int, _ error: (any Error)?) -> [Action] {
        self.running.remove(index)
        if let error {
            // An error of a cancelled service is the consequence, not the cause.
            if self.failure == nil, self.phase != .cancelled { self.failure = error }
        } else if self.phase == .up {
            self.failure = ServiceEndedEarly(name: self.names[index])
        }
        switch self.phase {
        case .up:
            return self.beginStopping()
        case .stopping:
            guard let next = self.running.max() else { return [.finish] }
            // One that fell before its turn leaves the others where they are.
            return index > next ? [.stop(next)] : []
        case .cancelled:
            return self.running.isEmpty ? [.finish] : []
        }
    }

    private mutating func beginStopping() -> [Action] {
        self.phase = .stopping
        guard let last = self.running.max() else { return [.finish] }
        return [.startDeadline, .stop(last)]
    }

    private mutating func cancel() -> [Action] {
        self.phase = .cancelled
        return [.cancel]
    }
}
