/// The calls that wait for their turn: one after the other, in the order they were made (access-enabler 2.1, 6.3).
///
/// A configuration overtakes the calls that were made while the gate was closed, since they wait for the last one
/// (D-03). It overtakes none that was made before it with the gate open.
struct Lane: Sendable {
    struct Entry {
        let call: ApplicationCall
        /// The number of the caller that awaits it.
        var caller: Int?
        /// Made while the gate was closed, or while a configuration was under way or waiting.
        var isKept = false
    }

    private var entries: [Entry] = []
    private(set) var current: Entry?
    /// Whether a task takes the calls from here.
    private(set) var isBusy = false

    mutating func add(_ call: ApplicationCall, _ gate: AccessEnabler.Gate, from caller: Int? = nil) {
        let isKept =
            gate == .closed || self.current?.call.isConfiguration == true
            || self.entries.contains { $0.call.isConfiguration }
        self.entries.append(Entry(call: call, caller: caller, isKept: isKept))
    }

    mutating func addFirst(_ call: ApplicationCall) { self.entries.insert(Entry(call: call), at: 0) }

    /// - Returns: whether a task has to begin to take calls from here.
    mutating func begin(_ gate: AccessEnabler.Gate) -> Bool {
        guard !self.isBusy, self.nextIndex(gate) != nil else { return false }
        self.isBusy = true
        return true
    }

    /// The next call; `nil` when none may be done yet, and then the lane is no longer busy.
    mutating func next(_ gate: AccessEnabler.Gate) -> ApplicationCall? {
        if gate != .closed, !self.entries.contains(where: \.call.isConfiguration) {
            // The last configuration is over: the calls that waited for it are now in the order of all.
            for index in self.entries.indices { self.entries[index].isKept = false }
        }
        self.current = self.nextIndex(gate).map { self.entries.remove(at: $0) }
        if self.current == nil { self.isBusy = false }
        return self.current?.call
    }

    private func nextIndex(_ gate: AccessEnabler.Gate) -> Int? {
        guard let first = self.entries.first else { return nil }
        if !first.isKept { return 0 }
        if let index = self.entries.firstIndex(where: \.call.isConfiguration) { return index }
        return gate == .closed ? nil : 0
    }

    /// Takes out the call of a caller that awaits it no longer.
    mutating func withdraw(_ caller: Int) -> ApplicationCall? {
        guard let index = self.entries.firstIndex(where: { $0.call.isWithdrawable && $0.caller == caller })
        else { return nil }
        return self.entries.remove(at: index).call
    }

    /// Whether a call that is under way or waits could begin, change or end a login.
    var concernsLogin: Bool {
        (self.current?.call.concernsLogin ?? false) || self.entries.contains { $0.call.concernsLogin }
    }
}
