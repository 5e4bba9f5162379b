import HTTPClient
import Lifecycle
import Synchronization

/// Why a document of a provider could not be fetched.
package protocol DocumentFault: Error {
    /// The caller gave up, which says nothing of the provider.
    var isCancellation: Bool { get }
}

/// A document of a provider, fetched by the first caller that needs it; others who need it at that time wait for the same.
///
/// No thread and no task of its own: ``current()`` lets a service fetch ahead of the callers.
package final class CachedDocument<Value: Sendable, Failure: DocumentFault>: Sendable {
    /// A document, and how long the provider says that it lives.
    package typealias Fetched = (value: Value, life: Duration?)

    /// The document, and which one it is: a caller that wants a newer one names it.
    package typealias Current = (value: Value, version: Int)

    private struct State {
        var current: Current?
        var freshUntil: Duration = .zero
        var usableUntil: Duration = .zero
        /// Why the last fetch failed, and when.
        var failure: (fault: Failure, at: Duration)?
        /// When a newer document was last asked for before its time.
        var demandedAt: Duration?
        /// Given when the fetch under way is over; `nil` if there is none.
        var fetching: StopSignal?
    }

    private enum Turn {
        case use(Current?)
        case fail(Failure)
        case fetch
    }

    private let state = Mutex(State())
    private let cancelled: Failure
    private let now: @Sendable () -> Duration
    private let fetch: @Sendable () async throws(Failure) -> Fetched

    /// - Parameters:
    ///   - cancelled: what a caller throws that gave up.
    ///   - now: a clock that never jumps.
    package init(
        cancelled: Failure, now: @escaping @Sendable () -> Duration,
        fetch: @escaping @Sendable () async throws(Failure) -> Fetched
    ) {
        self.cancelled = cancelled
        self.now = now
        self.fetch = fetch
    }

    /// The document, fetched if there is none or it is old. An old one serves on when that fails.
    /// - Throws: why there is none.
    package func current() async throws(Failure) -> Current {
        while true {
            if let current = try await self.take(Self.turn) { return current }
        }
    }

    /// The document as it was fetched last, however old it is; `nil` before the first fetch.
    package var known: Value? { self.state.withLock { $0.current?.value } }

    /// A document newer than `version`, because that one lacks what a token names.
    /// - Returns: `nil` if another one was fetched so lately that this must do.
    package func newer(than version: Int) async throws(Failure) -> Current? {
        try await self.take { state, now in
            if let current = state.current, current.version > version { return .use(current) }
            if state.fetching != nil { return .fetch }
            guard state.demandedAt.map({ now >= $0 + CacheLife.demand }) ?? true,
                state.failure.map({ now >= $0.at + CacheLife.retry }) ?? true
            else { return .use(nil) }
            state.demandedAt = now
            return .fetch
        }
    }

    private static func turn(_ state: inout State, now: Duration) -> Turn {
        let failure = state.failure.flatMap { now < $0.at + CacheLife.retry ? $0.fault : nil }
        guard let current = state.current, now < state.usableUntil else { return failure.map { .fail($0) } ?? .fetch }
        // One caller fetches; the others go on with what there is.
        return now < state.freshUntil || failure != nil || state.fetching != nil ? .use(current) : .fetch
    }

    /// Does what `turn` says, after waiting for the fetch of another caller if there is one.
    private func take(_ turn: (inout State, _ now: Duration) -> Turn) async throws(Failure) -> Current? {
        while true {
            let now = self.now()
            let (next, fetching) = self.state.withLock { state in
                let next = turn(&state, now)
                let fetching = state.fetching
                if case .fetch = next, fetching == nil { state.fetching = StopSignal() }
                return (next, fetching)
            }
            switch next {
            case .use(let current): return current
            case .fail(let fault): throw fault
            case .fetch:
                guard let fetching else { return try await self.fetched() }
                await fetching.wait()
                if Task.isCancelled { throw self.cancelled }
            }
        }
    }

    /// Fetches, for all who wait. Called by the one caller whose turn it is.
    /// - Returns: `nil` when the fetch failed and an old document may serve: the caller asks for its turn again.
    private func fetched() async throws(Failure) -> Current? {
        let result: Result<Fetched, Failure>
        do throws(Failure) { result = .success(try await self.fetch()) } catch { result = .failure(error) }
        let now = self.now()
        let (fetching, current, failure) = self.state.withLock { state in
            defer { state.fetching = nil }
            switch result {
            case .success(let fetched):
                let current = Current(value: fetched.value, version: (state.current?.version ?? 0) + 1)
                state.current = current
                state.failure = nil
                let life = fetched.life ?? CacheLife.usual
                state.freshUntil = now + min(max(life, CacheLife.bounds.lowerBound), CacheLife.bounds.upperBound)
                state.usableUntil = state.freshUntil + CacheLife.grace
                return (state.fetching, current as Current?, nil as Failure?)
            case .failure(let fault):
                // A caller that gave up says nothing of the provider; the next one tries anew.
                guard !fault.isCancellation else { return (state.fetching, nil, fault) }
                state.failure = (fault, now)
                return (state.fetching, nil, state.current == nil ? fault : nil)
            }
        }
        fetching?.give()
        if let failure { throw failure }
        return current
    }
}

extension OpenIDConnectFault: DocumentFault {
    package var isCancellation: Bool {
        if case .exchange(let error) = self.cause { error.code == .cancelled } else { false }
    }
}
