import Entitlement

/// The rates of callers of one kind under one limit, and which of them the other nodes have to know of.
///
/// Boxes that poll now and then are not told of, or a sheet would have to hold them all: a caller is from the call on by
/// which it has used a quarter of its rate here within eight seconds. So n nodes admit no more than the rate of one and a
/// quarter for each other node, as long as no more callers than a sheet holds (``NotedCounts/bound``) come so often between
/// two exchanges; beyond those, the loudest are told of first and the others in the seconds after, up to
/// ``NotedCounts/mostWaiting``. A caller beyond them has the rate of each node.
final class CallerRates: Sendable {
    /// What came of a call.
    enum Verdict: Hashable, Sendable {
        /// It may pass.
        /// - Parameter isTold: whether the other nodes have to know of it.
        case admitted(isTold: Bool)
        /// The caller has to wait for so many milliseconds; the call did not count.
        case wait(Int64)
    }

    /// A caller's rate, and its calls in one stretch of time: side by side, as every call passes here and waits for memory
    /// once.
    private struct Entry: SlotValue {
        var rate: CellRate
        private var stretch: Int32 = .min
        private var calls: Int32 = 0

        init(now: Int64) { self.rate = CellRate(now: now) }

        var worth: Int64 { self.rate.worth }

        /// Counts a call. - Returns: how many of the stretch it makes.
        mutating func count(at now: Int64) -> Int32 {
            let stretch = Int32(truncatingIfNeeded: now / CallerRates.stretch)
            if self.stretch != stretch { (self.stretch, self.calls) = (stretch, 0) }
            if self.calls < .max { self.calls += 1 }
            return self.calls
        }

        mutating func uncount() {
            if self.calls > 0 { self.calls -= 1 }
        }
    }

    /// In milliseconds.
    private static let stretch: Int64 = 8000

    private let limit: ThrottleLimit
    private let entries: SlotTable<Entry>
    /// `nil` where there are no other nodes.
    private let notebook: Notebook<CallNotes>?
    /// Calls of one stretch that no one is told of.
    private let quiet: Int64

    /// - Parameters:
    ///   - bound: the most callers remembered; a flood makes it forget those that called least.
    ///   - isShared: whether other nodes are to be told.
    init(_ limit: ThrottleLimit, bound: Int, isShared: Bool) {
        self.limit = limit
        self.entries = SlotTable(bound: bound, filler: Entry(now: .min))
        self.notebook = isShared ? Notebook(isOpen: true) : nil
        self.quiet = Self.stretch / limit.interval / 4
    }

    /// Counts a call of the caller of `hash`, if it may pass.
    func admit(_ hash: Int, at now: Int64) -> Verdict {
        self.entries.update(hash, initial: Entry(now: now)) { entry in
            if let missing = entry.rate.admit(at: now, self.limit) { return .wait(missing) }
            guard self.notebook != nil else { return .admitted(isTold: false) }
            return .admitted(isTold: entry.count(at: now) > self.quiet)
        }
    }

    /// Undoes the last admission of a caller.
    func takeBack(_ hash: Int, at now: Int64) {
        self.entries.update(hash, initial: Entry(now: now)) { entry in
            entry.rate.takeBack(self.limit)
            entry.uncount()
        }
    }

    /// Writes a call down for the other nodes.
    func tell(of caller: CallNotes.Caller?) {
        guard let caller else { return }
        self.notebook?.write { $0.calls.add(caller) }
    }

    /// What was written down since the last time.
    func take() -> CallNotes { self.notebook?.take() ?? CallNotes() }

    /// Counts what another node admitted, which is not told on.
    /// - Parameter hash: of a caller, as ``admit(_:at:)`` takes it; `nil` for one that cannot be.
    func count(_ notes: CallNotes, at now: Int64, hash: (CallNotes.Caller) -> Int?) {
        for (caller, calls) in notes.calls.counts {
            guard let hash = hash(caller) else { continue }
            self.entries.update(hash, initial: Entry(now: now)) {
                $0.rate.countElsewhere(calls, at: now, self.limit)
            }
        }
    }
}
