import POSIX
import Synchronization

/// The addresses of the servers' names, looked up on threads of their own: a resolver may take far longer than a caller
/// waits.
///
/// Each search asks anew, so that a name that leads to another server is followed; searches of one moment share an answer.
/// A name has one look-up at a time. While no answer is to be had, the addresses of the last one are used.
final class AddressBook: Sendable {
    /// Blocks its thread.
    typealias LookUp = @Sendable (_ name: String) throws(UnknownHost) -> [String]

    /// Waits for answers, one for each search.
    final class Reader: Sendable {
        let bell = Bell()
    }

    enum Answer: Hashable {
        case found
        case unknown(UnknownHost)
    }

    private struct Entry {
        var answer: Answer?
        var addresses: [String] = []
        var time: ContinuousClock.Instant?
        /// The readers that wait for the look-up under way; `nil` when there is none.
        var readers: [ObjectIdentifier: Reader]?
    }

    static let limit = 16

    private let lookUp: LookUp
    /// How old an answer may be that a search takes for a new one.
    private let freshness: Duration
    private let entries = Mutex<[String: Entry]>([:])

    init(
        freshness: Duration = .milliseconds(500),
        _ lookUp: @escaping LookUp = { (name) throws(UnknownHost) in
            try HostAddresses.lookUp(name, limit: AddressBook.limit)
        }
    ) {
        self.lookUp = lookUp
        self.freshness = freshness
    }

    /// Begins to look a name up where its answer is old. ``answer(for:to:)`` has it, once the reader's bell was rung.
    func ask(_ name: String, for reader: Reader, at now: ContinuousClock.Instant) {
        let isNew = self.entries.withLock { entries in
            var entry = entries[name] ?? Entry()
            defer { entries[name] = entry }
            if let time = entry.time, entry.readers == nil, now - time < self.freshness { return false }
            defer { entry.readers = (entry.readers ?? [:]).merging([ObjectIdentifier(reader): reader]) { $1 } }
            return entry.readers == nil
        }
        guard isNew else { return }
        if !startThread({ self.find(name) }) { self.note(.unknown(.noAnswer), of: name) { _ in } }
    }

    private func find(_ name: String) {
        do throws(UnknownHost) {
            let addresses = try self.lookUp(name)
            self.note(.found, of: name) { $0 = addresses }
        } catch {
            let isAnswer = error.isAnswer
            self.note(.unknown(error), of: name) { if isAnswer { $0 = [] } }
        }
    }

    private func note(_ answer: Answer, of name: String, _ change: (inout [String]) -> Void) {
        let readers = self.entries.withLock { entries in
            var entry = entries[name] ?? Entry()
            defer { entries[name] = Entry(answer: answer, addresses: entry.addresses, time: .now) }
            change(&entry.addresses)
            return entry.readers ?? [:]
        }
        for reader in readers.values { reader.bell.ring() }
    }

    /// The result of the look-up that the reader waits for, or of the last one when it waits for none.
    /// - Returns: `nil` while it is under way.
    func answer(for name: String, to reader: Reader) -> Answer? {
        self.entries.withLock { entries in
            guard let entry = entries[name], entry.readers?[ObjectIdentifier(reader)] == nil else { return nil }
            return entry.answer ?? .unknown(.noAnswer)
        }
    }

    /// The addresses of the last answer: those of the one before where a resolver gave none.
    func addresses(of name: String) -> [String] { self.entries.withLock { $0[name]?.addresses ?? [] } }

    /// A search is over, and waits for nothing.
    func forget(_ reader: Reader) {
        self.entries.withLock { entries in
            for name in entries.keys { entries[name]?.readers?[ObjectIdentifier(reader)] = nil }
        }
    }
}
