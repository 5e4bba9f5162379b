import Clientless
import Entitlement
import TestSupport
import Testing

@Suite("A registration code")
struct RegistrationCodeTests {
    static let start = Timestamp(milliseconds: 1_767_225_600_000)
    static let end = start + .seconds(1800)
    static let authentication = AuthNID(text: "0123456789abcdef0123456789abcdef")
    static let other = AuthNID(text: "fedcba9876543210fedcba9876543210")

    static func code(_ events: RegistrationCode.Event...) throws -> RegistrationCode {
        var code = RegistrationCode(generated: start, expires: end)
        for event in events { try code.apply(event, at: start) }
        return code
    }

    @Test func `waits at first, and is over at its end exactly`() throws {
        let code = try Self.code()
        #expect(code.state(at: Self.start) == .waiting(refusal: nil))
        #expect(code.state(at: Self.end - .milliseconds(1)) == .waiting(refusal: nil))
        #expect(code.state(at: Self.end) == .expired)
    }

    @Test func `goes through login and confirmation to completion, and creates one record`() throws {
        var code = try Self.code(.providerChosen)
        #expect(code.state(at: Self.start) == .loggingIn)
        try code.apply(.providerAccepted, at: Self.start)
        #expect(code.state(at: Self.start) == .confirming)
        try code.apply(.confirmed(Self.authentication), at: Self.start)
        #expect(code.state(at: Self.start) == .completed(Self.authentication))
        #expect(code.state(at: Self.end) == .expired)
    }

    @Test func `says beforehand whether it takes a login, in every state and at every time`() throws {
        let states: [RegistrationCode.State] = [
            .waiting(refusal: nil), .opened, .loggingIn, .confirming, .completed(Self.other), .declined, .cancelled,
            .expired,
        ]
        let end = Self.end + RegistrationCode.grace
        var answers: Set<Bool> = []
        for state in states {
            let code = RegistrationCode(generated: Self.start, expires: Self.end, state: state)
            for now in [Self.start, Self.end, end - .milliseconds(1), end] {
                answers.insert(code.takesLogin(at: now))
                for event in [
                    RegistrationCode.Event.confirmed(Self.authentication),
                    .providerAccepted,
                ] {
                    var copy = code
                    #expect(((try? copy.apply(event, at: now)) != nil) == code.takesLogin(at: now), "\(state) \(now)")
                }
            }
        }
        #expect(answers == [true, false])
    }

    @Test func `tells that a viewer entered it, until there is more to tell`() throws {
        var code = try Self.code(.opened, .opened)
        #expect(code.state(at: Self.start) == .opened)
        #expect(code.state(at: Self.end) == .expired)
        #expect(throws: RegistrationCode.Refusal.expired) { try code.apply(.opened, at: Self.end) }
        for (events, state): ([RegistrationCode.Event], RegistrationCode.State) in [
            ([.providerChosen], .loggingIn), ([.providerRefused(reason: "No.")], .waiting(refusal: "No.")),
            ([.providerRefused(reason: nil), .opened], .opened),
            ([.declined], .declined), ([.cancelled], .cancelled),
        ] {
            var further = code
            for event in events { try further.apply(event, at: Self.start) }
            #expect(further.state(at: Self.start) == state)
            try? further.apply(.opened, at: Self.start)
            #expect(further.state(at: Self.start) == state, "entering it once more takes nothing back")
        }
    }

    @Test func `completes without confirmation where none is needed`() throws {
        let code = try Self.code(.providerChosen, .confirmed(Self.authentication))
        #expect(code.state(at: Self.start) == .completed(Self.authentication))
    }

    @Test func `keeps the provider's reason and can be tried again`() throws {
        var code = try Self.code(.providerChosen, .providerRefused(reason: "Account suspended."))
        #expect(code.state(at: Self.start) == .waiting(refusal: "Account suspended."))
        try code.apply(.providerChosen, at: Self.start)
        #expect(code.state(at: Self.start) == .loggingIn)
    }

    @Test func `lets the first success win`() throws {
        var code = try Self.code(.confirmed(Self.authentication))
        for event in [
            RegistrationCode.Event.confirmed(Self.other), .providerAccepted, .providerChosen, .declined, .cancelled,
            .providerRefused(reason: nil),
        ] {
            #expect(throws: RegistrationCode.Refusal.alreadyCompleted) { try code.apply(event, at: Self.start) }
        }
        #expect(code.state(at: Self.start) == .completed(Self.authentication))
    }

    @Test func `cannot be approved after it was declined`() throws {
        var code = try Self.code(.providerChosen, .providerAccepted, .declined)
        for event in [
            RegistrationCode.Event.confirmed(Self.authentication), .providerAccepted, .providerChosen,
        ] {
            #expect(throws: RegistrationCode.Refusal.declined) { try code.apply(event, at: Self.start) }
            #expect(throws: RegistrationCode.Refusal.declined) { try code.apply(event, at: Self.end + .seconds(1)) }
        }
        #expect(code.state(at: Self.end + .seconds(1)) == .declined)
    }

    @Test func `cannot be used once it was cancelled`() throws {
        var code = try Self.code(.cancelled)
        #expect(throws: RegistrationCode.Refusal.cancelled) {
            try code.apply(.confirmed(Self.authentication), at: Self.start)
        }
        #expect(code.state(at: Self.start) == .cancelled)
    }

    @Test func `keeps one viewer's confirmation open while another starts or fails`() throws {
        var code = try Self.code(.providerChosen, .providerAccepted, .providerChosen, .providerRefused(reason: "no"))
        #expect(code.state(at: Self.start) == .confirming)
        try code.apply(.confirmed(Self.authentication), at: Self.start)
        #expect(code.state(at: Self.start) == .completed(Self.authentication))
    }

    @Test("still signs the device in when the login comes back within 120 seconds of its end, but stays expired")
    func grace() throws {
        let late = Self.end + .seconds(120) - .milliseconds(1)
        var code = try Self.code(.providerChosen)
        try code.apply(.providerRefused(reason: "No."), at: late)
        try code.apply(.providerAccepted, at: late)
        try code.apply(.confirmed(Self.authentication), at: late)
        #expect(code.state(at: late) == .expired)
        #expect(throws: RegistrationCode.Refusal.expired) { try code.apply(.confirmed(Self.other), at: late) }
    }

    @Test func `takes nothing when the grace is over, and starts nothing within it`() throws {
        var code = try Self.code(.providerChosen)
        #expect(throws: RegistrationCode.Refusal.expired) {
            try code.apply(.confirmed(Self.authentication), at: Self.end + .seconds(120))
        }
        #expect(throws: RegistrationCode.Refusal.expired) { try code.apply(.providerChosen, at: Self.end) }
        var completed = try Self.code(.confirmed(Self.authentication))
        #expect(throws: RegistrationCode.Refusal.alreadyCompleted) {
            try completed.apply(.confirmed(Self.other), at: Self.end + .seconds(1))
        }
    }

    @Test func `is left as it was by an event it refuses`() throws {
        var code = try Self.code(.declined)
        let before = code
        try? code.apply(.confirmed(Self.authentication), at: Self.start)
        #expect(code == before)
    }

    @Test(arguments: 0..<200) func `never creates more than one record, whatever the order of events`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var code = RegistrationCode(generated: Self.start, expires: Self.end)
        var created = 0
        var declined = false
        for step in 0..<40 {
            let event: RegistrationCode.Event =
                switch Int.random(in: 0..<7, using: &generator) {
                case 0: .providerChosen
                case 1: .providerAccepted
                case 2: .confirmed(Self.other)
                case 3: .providerRefused(reason: "no")
                case 4: .confirmed(Self.authentication)
                case 5: step > 20 ? .declined : .providerChosen
                default: step > 30 ? .cancelled : .providerChosen
                }
            let now = Self.start + .seconds(Int.random(in: 0..<50, using: &generator) * step)
            guard (try? code.apply(event, at: now)) != nil else { continue }
            if case .confirmed = event {
                created += 1
                #expect(!declined, "a declined code signed a box in")
            }
            if event == .declined { declined = true }
        }
        #expect(created <= 1)
    }
}
