import Clientless
import Entitlement
import Testing

@Suite("A trial as a value")
struct TrialTests {
    private let basic = TrialRules(lifetime: .seconds(3600))
    private let promotional = TrialRules(lifetime: .seconds(3600), maximumResources: 2, identityKey: "email")
    private let start = Fixture.now
    private let one = Resource("One")!
    private let two = Resource("Two")!
    private let three = Resource("Three")!

    @Test func `begins with its first authorization, and runs watched or not`() {
        var trial = Trial()
        #expect(trial.expires(at: self.start, rules: self.basic) == self.start + .seconds(3600))
        let later = self.start + .seconds(100)
        #expect(trial.use(self.one, at: later, rules: self.basic) == .permit(expires: later + .seconds(3600)))
        #expect(
            trial.use(self.two, at: later + .seconds(3599), rules: self.basic)
                == .permit(expires: later + .seconds(3600)))
        #expect(trial.use(self.one, at: later + .seconds(3600), rules: self.basic) == .exhausted)
        #expect(trial.expires(at: later + .seconds(9999), rules: self.basic) == later + .seconds(3600))
    }

    @Test func `of a basic kind counts no resources`() {
        var trial = Trial()
        for name in ["One", "Two", "Three"] {
            _ = trial.use(Resource(name)!, at: self.start, rules: self.basic)
        }
        #expect(trial.resources.isEmpty && trial.remainingResources(rules: self.basic) == nil)
    }

    @Test func `of a promotional kind counts each resource once, and refuses the one too many without counting it`() {
        var trial = Trial()
        for resource in [self.one, self.one, self.two] {
            #expect(trial.use(resource, at: self.start, rules: self.promotional) != .exhausted)
        }
        #expect(trial.remainingResources(rules: self.promotional) == 0)
        #expect(trial.use(self.three, at: self.start, rules: self.promotional) == .exhausted)
        #expect(trial.resources == [self.one, self.two])
        #expect(trial.use(self.one, at: self.start, rules: self.promotional) != .exhausted)
    }

    @Test func `asked what an authorization would give, does not begin`() {
        let trial = Trial()
        #expect(
            trial.verdict(on: self.one, at: self.start, rules: self.basic)
                == .permit(expires: self.start + .seconds(3600)))
        #expect(trial.firstUse == nil)
    }
}
