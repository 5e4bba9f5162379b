import Glibc
import POSIX

/// Asks the servers that are not used whether one of them was promoted while the one that is used still takes writes, as a
/// failover tool that died leaves it.
///
/// Each has one connection for it, and is asked one query every two seconds, and at once when a commit waited in vain.
final class PrimaryWatch: Sendable {
    static let interval: Duration = .seconds(2)
    /// How long servers may take to be connected to, and to answer.
    private static let patience: Duration = .seconds(1)

    private typealias Candidate = PrimarySearch.Candidate

    private let finder: PrimaryFinder
    private let thread = BackgroundThread()

    init(_ finder: PrimaryFinder) { self.finder = finder }

    /// - Parameter whenMoved: ends the connections to the server before.
    /// - Returns: whether there is a thread that asks.
    func start(whenMoved: @escaping @Sendable () -> Void) -> Bool {
        self.thread.start {
            let reader = AddressBook.Reader()
            var sessions: [Candidate: Session] = [:]
            while !self.thread.isClosed {
                let (begin, finding) = (ContinuousClock.now, self.finder.finding)
                self.ask(&sessions, self.finder.others(for: reader))
                if self.finder.finding != finding { whenMoved() }
                self.thread.rest(until: begin + Self.interval)
            }
        }
    }

    func close() async { await self.thread.close() }

    /// Has the servers be asked now: a commit waits, and may do so as its server was replaced.
    func hurry() { self.thread.bell.ring() }

    /// Asks those that are connected first: one that is silent holds up no other.
    private func ask(_ sessions: inout [Candidate: Session], _ others: [Candidate]) {
        sessions = self.answering(sessions.filter { others.contains($0.key) })
        let new = self.answering(self.connect(others.filter { sessions[$0] == nil }))
        sessions.merge(new) { $1 }
    }

    /// Asks all at once which server each is.
    /// - Returns: those that answered.
    private func answering(_ sessions: [Candidate: Session]) -> [Candidate: Session] {
        let deadline = ContinuousClock.now + Self.patience
        var tickets: [Candidate: Ticket] = [:]
        for (candidate, session) in sessions {
            session.answer(by: deadline)
            tickets[candidate] = try? session.askServer()
        }
        return sessions.filter { candidate, session in
            guard let ticket = tickets[candidate], let server = try? session.server(of: ticket) else { return false }
            self.finder.note(server, at: candidate)
            return true
        }
    }

    /// Connects to servers side by side, also to those that take no writes.
    private func connect(_ candidates: [Candidate]) -> [Candidate: Session] {
        let deadline = ContinuousClock.now + Self.patience
        var made: [Candidate: Session] = [:]
        var attempts = candidates.map { ($0, self.finder.settings.attempt(at: $0, takingWrites: false)) }
        while !attempts.isEmpty, ContinuousClock.now < deadline {
            var wanted = attempts.map { $0.1.wanted ?? pollfd(fd: -1, events: 0, revents: 0) }
            let end = wanted.contains { $0.fd < 0 } ? .now : deadline
            _ = unsafe poll(&wanted, nfds_t(wanted.count), ContinuousClock.now.milliseconds(until: end))
            attempts = zip(attempts, wanted).filter { one, events in
                guard events.fd < 0 || events.revents != 0 else { return true }
                switch one.1.proceed() {
                case .waiting: return true
                case .failed: return false
                case .made:
                    let name = self.finder.settings.name(of: one.0)
                    made[one.0] = try? Session(one.1, to: name, of: nil, by: deadline)
                    return false
                }
            }.map(\.0)
        }
        return made
    }
}

/// Another server takes writes than before, or the same one in a new timeline.
package struct PrimaryChange: Hashable, Sendable {
    /// Why connections to the one before are not used any more.
    package enum Reason: String, Hashable, Sendable {
        case ended = "its connections ended"
        case silent = "it did not answer"
        case readOnly = "it takes no writes any more"
        case superseded = "the other one was promoted in its place"
    }

    package struct Side: Hashable, Sendable {
        package let name: String
        package let timeline: UInt32
    }

    package let from: Side
    package let to: Side
    package let reason: Reason
}
