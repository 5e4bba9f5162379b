import Synchronization
import TestSupport

/// What was acknowledged and still holds, in the order it was acknowledged.
///
/// A caller withdraws the facts that an operation may change before it asks for it, and adds what is true afterwards
/// when it has the answer. At the moment of a fault the ledger thus holds nothing that is uncertain.
final class FactLedger: Sendable {
    private struct State {
        var facts: [AcknowledgedFact: (round: Int, moment: ContinuousClock.Instant)] = [:]
        var round = 0
        var count = 0
        var goal: Int?
        var hasGivenUp = false
    }

    private let state = Mutex(State())
    private let reached = Signal<Void>()

    /// How many answers were acknowledged in all.
    var count: Int { self.state.withLock { $0.count } }

    /// Begins a round, which is over after so many further answers.
    func beginRound(of answers: Int) {
        self.state.withLock { state in
            state.round += 1
            state.goal = state.count + answers
        }
    }

    /// Waits until so many answers more are there, in the same round, or ``giveUp()`` says that none will come.
    func waitForMore(_ answers: Int) async {
        let hasGivenUp = self.state.withLock { state in
            state.goal = state.count + answers
            return state.hasGivenUp
        }
        if !hasGivenUp { _ = await self.reached.next() }
    }

    /// Waits until the answers of the round are there, or ``giveUp()`` says that they will not come.
    func waitForRound() async { _ = await self.reached.next() }

    /// Ends all waiting for answers, for good: a caller has failed.
    func giveUp() {
        self.state.withLock { $0.hasGivenUp = true }
        self.reached.send(())
    }

    func withdraw(_ facts: AcknowledgedFact...) {
        self.state.withLock { state in facts.forEach { state.facts[$0] = nil } }
    }

    func acknowledge(_ facts: AcknowledgedFact...) {
        let isReached = self.state.withLock { state in
            for fact in facts { state.facts[fact] = (state.round, .now) }
            state.count += 1
            return state.count == state.goal
        }
        if isReached { self.reached.send(()) }
    }

    /// How long ago a fact was acknowledged; `nil` when it was not, or was withdrawn since.
    func age(of fact: AcknowledgedFact) -> Duration? {
        self.state.withLock { $0.facts[fact]?.moment.duration(to: .now) }
    }

    /// The facts of the last `rounds` rounds; all of them when `nil`.
    func facts(ofLast rounds: Int? = nil) -> [AcknowledgedFact] {
        self.state.withLock { state in
            let first = rounds.map { state.round - $0 } ?? 0
            return state.facts.filter { $0.value.round >= first }.map(\.key)
        }
    }

    /// Withdraws open codes older than `rounds` rounds: their time will be over before a long run is.
    func forgetOldCodes(rounds: Int) {
        self.state.withLock { state in
            let first = state.round - rounds
            state.facts = state.facts.filter { fact, place in
                guard case .codeIsOpen = fact else { return true }
                return place.round >= first
            }
        }
    }
}
