package import Clientless
import Synchronization

/// Slows down whoever guesses: per address, per browser session, per account, and for the whole service.
///
/// What it remembers of strangers is bounded; a flood makes it forget the oldest. A refused guess is not looked up, so
/// it costs the same whether it was right.
package final class GuessLimiter: Sendable {
    /// One of the things a stranger is recognised by.
    package enum Source: Hashable, Sendable {
        /// An address, or the network prefix that stands for it.
        case address(String)
        /// The keyed hash of a browser session or access token.
        case session([UInt8])
        /// An account of a provider, for passwords.
        case account(MVPDID, String)
    }

    /// The whole service's limit: wrong codes a minute, for so many open codes.
    package static func serviceLimit(liveCodes: Int, codeSpace: Double) -> Int {
        // One in a thousand a minute that any guess of anyone hits any open code; never so few that people who mistype
        // on a quiet server feel it.
        let guesses = 0.001 * codeSpace / Double(max(1, liveCodes))
        return Int(min(max(guesses, 60), 100_000))
    }

    private struct ServiceWindow: Sendable {
        var minute: Int64 = 0
        var failures = 0
        var limit = 100_000
    }

    private let windows: BoundedMemory<Source, AttemptWindow>
    private let limit: AttemptLimit
    private let sessionLimit: AttemptLimit
    private let service = Mutex(ServiceWindow())
    /// The end of the last penalty there is, in milliseconds since 1970: before any, nobody has to be looked up.
    private let lastPenaltyEnd = Atomic<Int64>(0)

    /// - Parameters:
    ///   - limit: for one address or account.
    ///   - sessionLimit: for one browser session.
    ///   - bound: the most strangers remembered.
    package init(limit: AttemptLimit, sessionLimit: AttemptLimit, bound: Int = 200_000) {
        self.windows = BoundedMemory(bound: bound)
        self.limit = limit
        self.sessionLimit = sessionLimit
    }

    /// Sets how many failures a minute the whole service takes.
    package func setServiceLimit(_ limit: Int) {
        self.service.withLock { $0.limit = limit }
    }

    /// How long the caller has to wait before the next guess; none when it may guess now.
    package func waitingTime(of sources: [Source], now: Timestamp) -> Duration? {
        guard now.milliseconds < self.lastPenaltyEnd.load(ordering: .acquiring) else { return nil }
        let own = sources.compactMap { self.windows[$0]?.waitingTime(at: now) }.max()
        let all = self.service.withLock { window -> Duration? in
            guard window.minute == Self.minute(of: now), window.failures >= window.limit else { return nil }
            return Timestamp(milliseconds: (window.minute + 1) * 60_000) - now
        }
        return [own, all].compactMap { $0 }.max()
    }

    /// Counts a wrong guess against all of `sources` and the service.
    package func recordFailure(of sources: [Source], now: Timestamp) {
        for source in sources {
            let limit = if case .session = source { self.sessionLimit } else { self.limit }
            let isClosed = self.windows.update(source, initial: AttemptWindow(start: now)) { window in
                window.fail(at: now, limit: limit)
                return window.waitingTime(at: now) != nil
            }
            if isClosed { self.lastPenaltyEnd.max((now + limit.penalty).milliseconds, ordering: .releasing) }
        }
        let isServiceClosed = self.service.withLock { window in
            let minute = Self.minute(of: now)
            if window.minute != minute {
                window.minute = minute
                window.failures = 0
            }
            window.failures += 1
            return window.failures >= window.limit
        }
        if isServiceClosed { self.lastPenaltyEnd.max((Self.minute(of: now) + 1) * 60_000, ordering: .releasing) }
    }

    private static func minute(of now: Timestamp) -> Int64 { now.milliseconds / 60_000 }
}
