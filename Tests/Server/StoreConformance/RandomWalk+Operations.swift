import Clientless
import Entitlement
import StoreFixtures
import Testing

// Trials, degradation rules and the audit log.
extension RandomWalk {
    private mutating func identity() -> TrialIdentity {
        self.oneOf(.device(Fixture.device(self.number(0..<3))), .person(Fixture.device(self.number(0..<3)).bytes))
    }

    private mutating func identities() -> [TrialIdentity] { (0..<self.number(1..<4)).map { _ in self.identity() } }

    mutating func useTrial(_ store: any Store, _ place: Comment) async throws {
        let (requestor, mvpd) = (self.requestor(), self.oneOf(Fixture.cableNova, Fixture.skyPeak))
        if self.number(0..<5) == 0 {
            let (identity, audit) = (self.oneOf(nil, self.identity()), Fixture.audit(self.newNumber()))
            let expected = self.operations.resetTrials(of: identity, requestor: requestor, mvpd: mvpd)
            self.operations.log(audit)
            let forgotten = try await store.resetTrials(
                of: identity, requestor: requestor, mvpd: mvpd, limit: 1000, audit: audit)
            #expect(forgotten == expected, place)
            return
        }
        let identities = self.identities()
        var record =
            self.operations.trial(of: identities, requestor: requestor, mvpd: mvpd)
            ?? Fixture.trial(self.newNumber(), identities, requestor: requestor, mvpd: mvpd, firstUse: nil)
        if self.number(0..<4) == 0 { record.version = max(0, record.version + self.oneOf(-1, 1)) }
        let rules = TrialRules(lifetime: .seconds(3600), maximumResources: self.oneOf(1, 2, nil))
        _ = record.trial.use(self.resource(), at: self.now, rules: rules)
        record.identities += identities
        record.keptUntil = self.oneOf(nil, self.now + .seconds(self.oneOf(60, 86_400)))
        let expected = self.operations.replace(record)
        #expect(try await store.replace(record) == expected, place)
    }

    mutating func operate(_ store: any Store, _ place: Comment) async throws {
        let kind = self.oneOf(DegradationRule.Kind.authnAll, .authzAll, .authzNone)
        let (mvpd, lifetime) = (self.oneOf(nil, Fixture.cableNova), Duration.seconds(self.oneOf(1, 14_400)))
        let resources = self.oneOf([], [self.resource()], [Fixture.resource("B"), Fixture.resource("A")])
        let rules = (0..<self.number(0..<3)).map { _ in
            var rule = Fixture.rule(
                self.number(0..<12), kind, requestor: self.requestor(), mvpd: mvpd, resources: resources,
                activation: self.now, lifetime: lifetime)
            rule.version = self.operations.version(ofRule: rule.id)
            if self.number(0..<6) == 0 { rule.version += 1 }
            return rule
        }
        let audit = Fixture.audit(self.newNumber())
        let expected = self.operations.save(rules)
        if expected { self.operations.log(audit) }
        #expect(try await store.save(rules, audit: audit) == expected, place)
    }

    mutating func compareOperations(_ reader: any Store, _ place: Comment) async throws {
        let (identities, requestor) = (self.identities(), self.requestor())
        let trial = try await reader.trial(of: identities, requestor: requestor, mvpd: Fixture.cableNova)
        #expect(trial == self.operations.trial(of: identities, requestor: requestor, mvpd: Fixture.cableNova), place)
        let moment = self.now - .seconds(self.oneOf(0, 86_400, 10 * 86_400))
        let rules = try await reader.degradationRules(endingAfter: moment)
        #expect(rules == self.operations.rules(endingAfter: moment), place)
        let limit = self.number(0..<20)
        #expect(try await reader.auditEntries(limit: limit) == Array(self.operations.entries.prefix(limit)), place)
    }
}
