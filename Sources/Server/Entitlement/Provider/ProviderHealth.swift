package import Clientless
import Synchronization

package enum ProviderOutcome: String, Hashable, Sendable, CaseIterable {
    case answered
    /// No answer within its time.
    case late
    case unreachable, misconfigured, unproven
    case sessionOver = "session_over"
    case failed
    /// Not asked: too many questions are under way, or none was answered for a while.
    case shed

    init(_ error: EntitlementError) {
        switch error.providerFault {
        case .unreachable: self = error.denial == .network(timeout: true) ? .late : .unreachable
        case .misconfigured: self = .misconfigured
        case .unproven, .refused: self = .unproven
        case .sessionOver: self = .sessionOver
        case .failed, nil: self = .failed
        }
    }
}

/// How the questions to each provider fare, and whether the next one is worth asking: one after the other without an answer
/// shuts a provider for a while, so that viewers and boxes are told at once, and one question then tries it.
///
/// Its memory is bounded by the providers of the catalogue.
package final class ProviderHealth: Sendable {
    package struct Settings: Hashable, Sendable {
        /// Questions without an answer, one after the other, that shut a provider.
        package var patience = 5
        /// How long it is shut first; twice as long after each question that tries it in vain.
        package var pause: Duration = .seconds(5)
        package var longestPause: Duration = .seconds(60)
        /// The most questions to one provider under way.
        package var atOnce = 512

        package init() {}
    }

    /// The known facts of one provider since the start.
    package struct Facts: Hashable, Sendable {
        package fileprivate(set) var outcomes: [ProviderOutcome: Int] = [:]
        /// All questions that were asked, together.
        package fileprivate(set) var time: Duration = .zero
        package fileprivate(set) var underWay = 0
        /// The last question that was not answered.
        package fileprivate(set) var lastFault: Fault?
        fileprivate var silences = 0
        fileprivate var pause: Duration = .zero
        /// By the uptime; `nil` when it is asked as usual.
        fileprivate var shutUntil: Duration?
        fileprivate var isTried = false

        package var isShut: Bool { self.shutUntil != nil }

        fileprivate mutating func count(_ outcome: ProviderOutcome) { self.outcomes[outcome, default: 0] += 1 }
    }

    package struct Fault: Hashable, Sendable {
        package let outcome: ProviderOutcome
        package let detail: String
        /// By the uptime.
        package let time: Duration
    }

    enum Turn: Hashable, Sendable { case shut(Duration), opened }

    private let settings: Settings
    private let facts = Mutex<[MVPDID: Facts]>([:])

    init(_ settings: Settings) { self.settings = settings }

    package var all: [MVPDID: Facts] { self.facts.withLock { $0 } }

    /// Lets a question be asked, which ``settle(_:_:detail:provesLife:after:at:)`` ends.
    /// - Parameter isRemote: whether silence shuts the provider.
    func admit(_ mvpd: MVPDID, isRemote: Bool, at now: Duration) -> Bool {
        self.facts.withLock { all in
            var facts = all[mvpd, default: Facts()]
            defer { all[mvpd] = facts }
            if isRemote {
                let isWaiting = facts.shutUntil.map { now < $0 || facts.isTried } ?? false
                guard !isWaiting, facts.underWay < self.settings.atOnce else {
                    facts.count(.shed)
                    return false
                }
                facts.isTried = facts.isShut
            }
            facts.underWay += 1
            return true
        }
    }

    /// Counts what became of an admitted question.
    /// - Parameters:
    ///   - outcome: `nil` for a question that its caller gave up.
    ///   - detail: for operators, of a fault.
    ///   - provesLife: whether an answer shows that the provider is there. To begin a login many need no network.
    func settle(
        _ mvpd: MVPDID, _ outcome: ProviderOutcome?, detail: String = "", provesLife: Bool = true,
        after time: Duration, at now: Duration
    ) -> Turn? {
        self.facts.withLock { all in
            // A provider that the catalogue lost meanwhile.
            guard var facts = all[mvpd] else { return nil }
            defer { all[mvpd] = facts }
            facts.underWay -= 1
            guard let outcome else {
                facts.isTried = false
                return nil
            }
            facts.count(outcome)
            facts.time += time
            // A viewer's session that is over is no fault of the provider.
            if ![.answered, .sessionOver].contains(outcome) {
                facts.lastFault = Fault(outcome: outcome, detail: detail, time: now)
            }
            guard [.late, .unreachable].contains(outcome) else {
                guard provesLife else {
                    facts.isTried = false
                    return nil
                }
                let wasShut = facts.isShut
                (facts.silences, facts.shutUntil, facts.pause, facts.isTried) = (0, nil, .zero, false)
                return wasShut ? .opened : nil
            }
            facts.silences += 1
            // Questions that were under way when it was shut say nothing new.
            guard facts.isTried || (!facts.isShut && facts.silences >= self.settings.patience) else { return nil }
            facts.pause =
                facts.pause == .zero ? self.settings.pause : min(facts.pause * 2, self.settings.longestPause)
            facts.shutUntil = now + facts.pause
            facts.isTried = false
            return .shut(facts.pause)
        }
    }

    /// Forgets the providers that are not in the catalogue any more.
    func forget(allBut known: Set<MVPDID>) {
        self.facts.withLock { all in all = all.filter { known.contains($0.key) } }
    }
}
