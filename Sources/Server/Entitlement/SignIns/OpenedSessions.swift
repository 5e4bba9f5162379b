import Clientless
import Synchronization

/// The kept sessions that were opened last: a decision opens one several times, and reading it takes longer than asking
/// memory for all the rest.
final class OpenedSessions: Sendable {
    /// The record as well, as a sealed value opens in its own record alone.
    private struct Key: Hashable {
        let id: AuthNID
        let mvpd: MVPDID
        let sealed: [UInt8]
    }

    private static let limit = 256

    private let sessions = Mutex<[Key: KeptSession]>([:])

    /// The session of `record`; `open` reads it where it is not at hand.
    func session(
        of record: AuthNRecord, _ open: () throws(EntitlementError) -> KeptSession
    ) throws(EntitlementError) -> KeptSession {
        let key = Key(id: record.id, mvpd: record.mvpd, sealed: record.sealedSession)
        if let session = self.sessions.withLock({ $0[key] }) { return session }
        let session = try open()
        self.sessions.withLock { sessions in
            if sessions.count >= Self.limit { sessions.removeAll(keepingCapacity: true) }
            sessions[key] = session
        }
        return session
    }
}
