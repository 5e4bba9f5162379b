import Glibc
import POSIX

/// One search among the hosts and the addresses of their names, on one thread.
struct PrimarySearch {
    struct Candidate: Hashable, Sendable {
        /// The place of its host in the connection string, from 0.
        let place: Int
        /// One of the addresses of the host's name; `nil` if libpq has no name to look up.
        var address: String?
    }

    private let settings: ConnectionSettings
    private let book: AddressBook
    private let reader = AddressBook.Reader()
    private let last: Candidate?
    /// How long a server may be silent before the next one is asked, too.
    private let headStart: Duration
    private let without: Set<Candidate>
    /// Names that are being looked up, by the places of their hosts.
    private var sought: [Int: String] = [:]
    /// When the first server is asked, though names may not be found; `nil` once it was.
    private var begin: ContinuousClock.Instant?
    /// The candidates to ask: first those not asked yet, then those that failed and are asked again.
    private var left: [Candidate] = []
    private var asked: Set<Candidate> = []
    private var known: Set<Candidate> = []
    /// When the next one is asked, whatever the others do.
    private var nextStart: ContinuousClock.Instant
    private var attempts: [(candidate: Candidate, attempt: ConnectionAttempt)] = []
    /// The failure of each server, as an operator needs it to see which one is meant to take writes; of a host whose
    /// name is unknown, that.
    private(set) var answers: [Candidate: String] = [:]

    init(
        _ settings: ConnectionSettings, _ book: AddressBook, last: Candidate?, headStart: Duration,
        without: Set<Candidate> = []
    ) {
        let now = ContinuousClock.now
        self.without = without
        self.settings = settings
        self.book = book
        self.last = last
        self.headStart = headStart
        self.nextStart = now
        self.begin = now + headStart
        for (place, host) in settings.hosts.enumerated() {
            guard let name = host.unresolvedName else { continue }
            self.sought[place] = name
            book.ask(name, for: self.reader, at: now)
        }
    }

    func end() { self.book.forget(self.reader) }

    var isOver: Bool { self.attempts.isEmpty && self.left.isEmpty && self.sought.isEmpty }

    /// The answers to report for the others when the time is over.
    var lateAnswers: [Candidate: String] {
        var late: [Candidate: String] = [:]
        let unnamed = self.settings.hosts.indices.filter { self.settings.hosts[$0].unresolvedName == nil }
        for candidate in self.known.union(unnamed.map { Candidate(place: $0) }) {
            late[candidate] = "the server \(self.settings.name(of: candidate)) did not answer in time"
        }
        for (place, name) in self.sought {
            late[Candidate(place: place)] = "the name of the server \(name) was not found in time"
        }
        return late
    }

    /// Takes in what was found of names. Until all answers are there, and for a moment at most, no server is asked but the
    /// host that was found last, so that they are asked in their order.
    mutating func learn(at now: ContinuousClock.Instant) {
        self.reader.bell.hush()
        var new: [Int] = []
        for (place, name) in self.sought {
            guard let answer = self.book.answer(for: name, to: self.reader) else { continue }
            self.sought[place] = nil
            if case .unknown(let fault) = answer {
                self.answers[Candidate(place: place)] = "the name of the server \(name) was not found: \(fault)"
            }
            new.append(place)
        }
        guard let begin = self.begin else {
            self.add(new.sorted())
            return
        }
        if self.sought.isEmpty || now >= begin {
            self.begin = nil
            self.add(Array(self.settings.hosts.indices))
        } else if let last = self.last, self.isKnown(last) {
            self.add([last.place])
        }
    }

    /// Whether a server may be asked whatever is found of other names.
    private func isKnown(_ candidate: Candidate) -> Bool {
        guard let address = candidate.address else { return true }
        guard self.sought[candidate.place] == nil,
            let name = self.settings.hosts[candidate.place].unresolvedName
        else { return false }
        return self.book.addresses(of: name).contains(address)
    }

    /// Adds the addresses of hosts, and hosts that have no name to look up, in their order.
    private mutating func add(_ places: [Int]) {
        var new: [Candidate] = []
        for place in places {
            if let name = self.settings.hosts[place].unresolvedName {
                // A name that no answer came of keeps its last addresses.
                new += self.book.addresses(of: name).map { Candidate(place: place, address: $0) }
            } else {
                new.append(Candidate(place: place))
            }
        }
        new.removeAll { self.without.contains($0) || !self.known.insert($0).inserted }
        if let last = self.last, let index = new.firstIndex(of: last) { new.insert(new.remove(at: index), at: 0) }
        self.left.insert(contentsOf: new, at: self.left.firstIndex(where: self.asked.contains) ?? self.left.endIndex)
    }

    /// Asks the server whose turn it is now: one that was not asked yet at once where no other one is being asked, and each
    /// of the others when the head start of the one before is over.
    /// - Returns: whether there was one.
    mutating func beginNext(at now: ContinuousClock.Instant) -> Bool {
        guard let next = self.left.first,
            now >= self.nextStart || self.attempts.isEmpty && !self.asked.contains(next)
        else { return false }
        self.left.removeFirst()
        self.asked.insert(next)
        self.nextStart = now + self.headStart
        self.attempts.append((next, self.settings.attempt(at: next, takingWrites: true)))
        return true
    }

    /// Waits until a server says something or it is time for the next one, at the latest until `deadline`, and lets the
    /// attempts go on.
    /// - Returns: the first that leads to a server that takes writes.
    mutating func proceed(until deadline: ContinuousClock.Instant) -> (Candidate, ConnectionAttempt)? {
        var wanted = self.attempts.map { $0.attempt.wanted ?? pollfd(fd: -1, events: 0, revents: 0) }
        let isStuck = wanted.contains { $0.fd < 0 }
        wanted.append(pollfd(fd: self.reader.bell.descriptor, events: Int16(POLLIN), revents: 0))
        let now = ContinuousClock.now
        var end = deadline
        if !self.left.isEmpty { end = min(end, self.nextStart) }
        // The bell only shortens this: the process may have no descriptor left for it.
        if !self.sought.isEmpty { end = min(end, self.begin ?? now + self.headStart) }
        // An interrupted or fruitless wait is no failure: the caller looks at the clock.
        _ = unsafe poll(&wanted, nfds_t(wanted.count), now.milliseconds(until: isStuck ? now : end))
        return self.take(wanted)
    }

    /// - Parameter events: what the sockets of the attempts are, in their order.
    private mutating func take(_ events: [pollfd]) -> (Candidate, ConnectionAttempt)? {
        var going: [(candidate: Candidate, attempt: ConnectionAttempt)] = []
        var failed: [Candidate] = []
        for (number, one) in self.attempts.enumerated() {
            guard events[number].fd < 0 || events[number].revents != 0 else {
                going.append(one)
                continue
            }
            switch one.attempt.proceed() {
            case .made: return (one.candidate, one.attempt)
            case .waiting: going.append(one)
            case .failed(let failure):
                self.answers[one.candidate] = failure.message
                failed.append(one.candidate)
            }
        }
        self.attempts = going
        // While another one is silent or sought, these may become what is looked for.
        if !failed.isEmpty, !going.isEmpty || !self.sought.isEmpty {
            if self.left.isEmpty { self.nextStart = .now + self.headStart }
            self.left += failed
        }
        return nil
    }
}
