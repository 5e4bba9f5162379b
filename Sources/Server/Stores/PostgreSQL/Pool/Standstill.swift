import Synchronization

/// Whether the server waits with every commit for a standby that is gone.
///
/// It does so for as long as the standby is away, and each commit that is given up keeps a connection of the server until
/// then, as the server does not look whether its caller is still there. So none is tried while another one waits, and the
/// callers are refused at once: else they would use up all connections.
final class Standstill: Sendable {
    enum Admission: Hashable, Sendable {
        case free
        case refused
        /// When no commit waits for a standby any more (``waiting``).
        case afterLook
    }

    static let pause: Duration = .seconds(2)

    /// How many commits of this role, of any node, wait for a standby for longer than they do when it is well (PostgreSQL,
    /// 28.2.3). A role sees its own connections without a grant.
    static let waiting = """
        (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
            AND state_change < clock_timestamp() - interval '500 ms')
        """

    /// When the next look is taken, and whose commits wait.
    private let next = Mutex<(time: ContinuousClock.Instant, finding: PrimaryFinder.Finding)?>(nil)

    /// Whether a commit may be tried now at the server of `finding`. Of callers at the end of a pause one may look.
    func admission(at now: ContinuousClock.Instant, of finding: PrimaryFinder.Finding) -> Admission {
        self.next.withLock { next in
            guard let held = next, held.finding == finding else { return .free }
            guard now >= held.time else { return .refused }
            next = (now + Self.pause, finding)
            return .afterLook
        }
    }

    /// A commit waited for a standby until its time was over.
    func begin(at now: ContinuousClock.Instant, of finding: PrimaryFinder.Finding) {
        self.next.withLock { $0 = (now + Self.pause, finding) }
    }

    /// A commit was kept, or the server is another one or gone.
    func end() { self.next.withLock { $0 = nil } }
}
