import Entitlement
import StoreFixtures

/// Uses trials and sets degradation rules without end.
struct OperationWriter {
    let seed: UInt64

    /// Prints a trial's device with the number of its resources, and a rule's ID, when they are kept.
    func work(_ store: any Store) async {
        let rules = TrialRules(lifetime: .seconds(3600), maximumResources: 100)
        var number = Int(self.seed) * 1_000_000
        do throws(StoreError) {
            while true {
                let device = number / 8
                let identity = TrialIdentity.device(Fixture.device(device))
                var record =
                    try await store.trial(of: [identity], requestor: Fixture.northSport, mvpd: Fixture.cableNova)
                    ?? Fixture.trial(device, [identity], firstUse: nil)
                _ = record.trial.use(Fixture.resource("\(number)"), at: Fixture.now, rules: rules)
                guard try await store.replace(record) else {
                    say("late \(device)")
                    return
                }
                say("tried \(device) \(record.trial.resources.count)")
                let rule = Fixture.rule(number, resources: [Fixture.resource("\(number)")])
                _ = try await store.save(
                    [rule],
                    audit: AuditEntry(time: Fixture.now, actor: "writer", action: "degradation.add", subject: rule.id))
                say("ruled \(rule.id)")
                number += 1
            }
        } catch {
            say("\(error.code)")
        }
    }
}
