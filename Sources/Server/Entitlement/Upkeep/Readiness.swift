import Synchronization

/// The last finding about the store: one caller asks, and the answer counts for a second.
final class Readiness: Sendable {
    typealias Finding = Result<Void, EntitlementError>

    private enum State {
        case unknown
        case checking(since: Duration, waiting: [CheckedContinuation<Finding, Never>])
        case known(Finding, since: Duration)
    }

    private let state = Mutex(State.unknown)

    /// - Parameters:
    ///   - uptime: by a clock that no one sets.
    ///   - check: runs once for all that ask until its finding is a second old.
    func finding(at uptime: Duration, check: () async throws(EntitlementError) -> Void) async -> Finding {
        guard self.begins(at: uptime) else { return await withCheckedContinuation { self.wait($0) } }
        let finding: Finding
        do throws(EntitlementError) {
            try await check()
            finding = .success(())
        } catch {
            finding = .failure(error)
        }
        for caller in self.settle(finding) { caller.resume(returning: finding) }
        return finding
    }

    /// Whether the caller is the one that finds out.
    private func begins(at uptime: Duration) -> Bool {
        self.state.withLock { state in
            switch state {
            case .checking: return false
            case .known(_, let since) where uptime - since < .seconds(1): return false
            case .unknown, .known:
                state = .checking(since: uptime, waiting: [])
                return true
            }
        }
    }

    private func wait(_ caller: CheckedContinuation<Finding, Never>) {
        let known: Finding? = self.state.withLock { state in
            switch state {
            case .unknown: return .failure(EntitlementError(.storeUnavailable))
            case .known(let finding, _): return finding
            case .checking(let since, let waiting):
                state = .checking(since: since, waiting: waiting + [caller])
                return nil
            }
        }
        if let known { caller.resume(returning: known) }
    }

    private func settle(_ finding: Finding) -> [CheckedContinuation<Finding, Never>] {
        self.state.withLock { state in
            guard case .checking(let since, let waiting) = state else { return [] }
            state = .known(finding, since: since)
            return waiting
        }
    }
}
