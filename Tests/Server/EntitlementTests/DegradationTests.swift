import Clientless
import Testing

@testable import Entitlement

@Suite("Degradation rules as values")
struct DegradationTests {
    private let now = Fixture.now
    private let channel = Resource("North Sport HD")!

    private func rule(
        _ kind: DegradationRule.Kind, mvpd: MVPDID? = Fixture.provider, resources: [String] = [],
        message: String = "", lasting: Duration = .seconds(60)
    ) -> DegradationRule {
        DegradationRule(
            id: "\(kind)", kind: kind, requestor: Fixture.requestor, mvpd: mvpd,
            resources: resources.compactMap { Resource($0) }, message: message, activation: self.now,
            ends: self.now + lasting)
    }

    private func effect(
        _ rules: [DegradationRule], on resource: Resource, after seconds: Int = 0,
        requestor: RequestorID = Fixture.requestor, mvpd: MVPDID = Fixture.provider
    ) -> Degradations.Effect? {
        Degradations(rules: rules).effect(on: resource, requestor, mvpd, at: self.now + .seconds(seconds))
    }

    @Test func `hold from their activation until their end, for their requestor and provider`() {
        let rules = [self.rule(.authzAll)]
        let grant = Degradations.Effect.grant(until: self.now + .seconds(60))
        #expect(self.effect(rules, on: self.channel) == grant)
        #expect(self.effect(rules, on: self.channel, after: 59) == grant)
        #expect(self.effect(rules, on: self.channel, after: 60) == nil)
        #expect(self.effect(rules, on: self.channel, after: -1) == nil)
        #expect(self.effect(rules, on: self.channel, requestor: Fixture.sibling) == nil)
        #expect(self.effect(rules, on: self.channel, mvpd: Fixture.otherProvider) == nil)
        #expect(
            self.effect([self.rule(.authzAll, mvpd: nil)], on: self.channel, mvpd: Fixture.otherProvider)
                == grant)
    }

    @Test func `with resources cover these only, and a channel they name in whichever form it is asked for`() throws {
        let rules = [self.rule(.authzNone, resources: ["North Sport HD"], message: "Blackout")]
        let refusal = Degradations.Effect.refuse(message: "Blackout")
        #expect(self.effect(rules, on: self.channel) == refusal)
        #expect(self.effect(rules, on: Resource("North Sport 2")!) == nil)
        let item = "<item><title>Cup Final</title></item>"
        let fragment = { (title: String) in
            Resource("<rss version=\"2.0\"><channel><title>\(title)</title>\(item)</channel></rss>")!
        }
        #expect(self.effect(rules, on: fragment("North Sport HD")) == refusal)
        #expect(self.effect(rules, on: fragment("<![CDATA[North Sport HD]]>")) == refusal)
        #expect(self.effect(rules, on: fragment("North Sport 2")) == nil)
        #expect(self.effect(rules, on: Resource("<rss><channel>")!) == nil)
    }

    @Test func `that refuse outweigh those that grant, and of those the longest counts`() {
        let grants = [self.rule(.authzAll, lasting: .seconds(10)), self.rule(.authnAll, lasting: .seconds(90))]
        #expect(self.effect(grants, on: self.channel) == .grant(until: self.now + .seconds(90)))
        #expect(
            self.effect(grants + [self.rule(.authzNone, message: "No")], on: self.channel) == .refuse(message: "No"))
    }

    @Test func `skip a login only when they say so, and the longest of them`() {
        let rules = Degradations(rules: [
            self.rule(.authzAll), self.rule(.authnAll, lasting: .seconds(10)),
            self.rule(.authnAll, mvpd: nil, lasting: .seconds(20)),
        ])
        let skipped = rules.skippedLogin(Fixture.requestor, Fixture.provider, at: self.now)
        #expect(skipped?.ends == self.now + .seconds(20))
        let without = Degradations(rules: [self.rule(.authzAll), self.rule(.authzNone)])
        #expect(without.skippedLogin(Fixture.requestor, Fixture.provider, at: self.now) == nil)
    }
}
