import AccessEnablerConstants
import TestSupport
import Testing

@testable import AccessEnabler

private typealias Flow = AuthenticationFlow

private let providers = [Flow.Provider.regular, .pass, .promotional]

extension AuthenticationFlow.State {
    /// The states of the table in access-enabler 9.10.
    fileprivate var row: String { String("\(self)".prefix { $0 != "(" }) }
}

/// Answers that fit a state; every other state has to leave them alone.
private let answers: [(name: String, event: Flow.Event, states: Set<String>)] = [
    ("accessGranted", .accessGranted, ["platformPermission"]),
    ("platform account", .platform(.account(providers[0])), ["platformPermission", "platformDialog"]),
    ("platform picked", .platform(.picked(providers[0])), ["platformPermission", "platformDialog"]),
    ("platform cancelled", .platform(.cancelled), ["platformPermission", "platformDialog"]),
    (
        "platform left", .platform(.left(AdvancedStatus("N003", .info))),
        ["platformPermission", "platformDialog", "platformExchange"]
    ),
    ("token", .token, ["platformExchange", "polling", "retrieving", "temporary"]),
    ("codeObtained", .codeObtained, ["starting"]),
    ("navigationEnded", .navigationEnded, ["navigating"]),
    (
        "failed", .failed(code: GENERIC_AUTHENTICATION_ERROR),
        ["starting", "navigating", "polling", "retrieving", "temporary", "storing"]
    ),
    ("stored", .stored, ["storing"]),
]

@Suite("Any walk through the authentication flow")
struct AuthenticationFlowWalkTests {
    private static func situation(_ chance: inout SeededGenerator) -> Flow.Situation {
        var situation = Flow.Situation(way: Bool.random(using: &chance) ? .secondScreen : .userAgent)
        if Int.random(in: 0..<4, using: &chance) == 0 {
            situation.preselected = providers.randomElement(using: &chance)
        }
        situation.hasPlatform = Bool.random(using: &chance)
        if Bool.random(using: &chance) { situation.remembered = providers.randomElement(using: &chance) }
        situation.hasProviders = Int.random(in: 0..<8, using: &chance) != 0
        situation.choosesOnSecondScreen = Int.random(in: 0..<4, using: &chance) == 0
        situation.hasData = Bool.random(using: &chance)
        situation.cancelEnds = Bool.random(using: &chance)
        return situation
    }

    private static func event(_ chance: inout SeededGenerator) -> Flow.Event {
        switch Int.random(in: 0..<40, using: &chance) {
        case 0: .providerCancelled
        case 1: .logout
        case 2: .requestorChanged
        case 3: .providerUnknown
        case 4..<8: .begin(Self.situation(&chance))
        case 8: .passChosen(providers[1], .secondScreen)
        case 9..<14: .providerSelected(providers[Int.random(in: 0..<3, using: &chance)])
        default: answers[Int.random(in: 0..<answers.count, using: &chance)].event
        }
    }

    @Test func `leaves every answer that does not fit the state without effect, and takes every one that does`() {
        var chance = SeededGenerator(seed: 1)
        var seen: Set<String> = []
        var taken: Set<String> = []
        var flow = Flow()
        for _ in 0..<20_000 {
            let row = flow.state.row
            seen.insert(row)
            for (name, event, states) in answers {
                var copy = flow
                let actions = copy.handle(event)
                if states.contains(row) {
                    #expect(!actions.isEmpty, "\(name) in \(row)")
                    taken.insert(name)
                } else {
                    let isUntouched = copy.state == flow.state && copy.attempt == flow.attempt
                    #expect(actions.isEmpty && isUntouched, "\(name) in \(row)")
                }
            }
            _ = flow.handle(Self.event(&chance))
        }
        #expect(seen.count == 11 && taken.count == answers.count)
    }

    @Test func `ends each run exactly once, and no sooner than it is idle again`() {
        var chance = SeededGenerator(seed: 2)
        var (runs, ends) = (0, 0)
        var flow = Flow()
        for _ in 0..<200_000 {
            let wasRunning = flow.isRunning
            let event = Self.event(&chance)
            let actions = flow.handle(event)
            let ended = actions.count { action in
                if case .finish = action { true } else { action == .abandon }
            }
            switch (wasRunning, flow.isRunning) {
            case (false, false):
                // Nothing happened, or a run that was over as soon as it began.
                #expect(ended == (actions.isEmpty ? 0 : 1))
                runs += ended
            case (false, true):
                #expect(ended == 0)
                runs += 1
            case (true, true): #expect(ended == 0)
            case (true, false):
                #expect(ended == 1)
                // Nothing is asked for after the end.
                if case .finish = actions.last {} else { #expect(actions == [.abandon]) }
            }
            ends += ended
        }
        #expect(runs == ends + (flow.isRunning ? 1 : 0) && runs > 10_000)
    }

    @Test func `counts another attempt at every end and at every new start, so that late answers are told apart`() {
        var chance = SeededGenerator(seed: 3)
        var flow = Flow()
        for _ in 0..<100_000 {
            let (attempt, wasRunning) = (flow.attempt, flow.isRunning)
            let actions = flow.handle(Self.event(&chance))
            #expect(flow.attempt >= attempt)
            let startsAnew = actions.contains { action in
                switch action {
                case .requestCode, .authenticateTemporarily, .showPicker, .askPlatformAccess, .finish, .abandon: true
                default: false
                }
            }
            #expect((flow.attempt > attempt) == startsAnew, "\(actions)")
            if !wasRunning, !flow.isRunning, actions.isEmpty { #expect(flow.attempt == attempt) }
        }
    }
}
