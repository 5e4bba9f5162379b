import Clientless
import Synchronization
import TestSupport
import Testing

@testable import Entitlement

/// Degradation rules in memory, whose first read takes until the test lets it end.
private final class SlowRules: OperationStore {
    let begun = Signal<Void>()
    let goOn = Signal<Void>()
    private let state = Mutex((rules: [DegradationRule](), reads: 0))

    func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) -> Bool {
        self.state.withLock { $0.rules = rules }
        return true
    }

    func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule] {
        let (rules, read) = self.state.withLock { state in
            state.reads += 1
            return (state.rules, state.reads)
        }
        if read == 1 {
            self.begun.send(())
            await self.goOn.next()
        }
        return rules
    }

    func log(_ entry: AuditEntry) async throws(StoreError) {}

    func auditEntries(_ selection: AuditSelection, limit: Int) async throws(StoreError) -> [AuditEntry] { [] }
}

@Suite("Reading again what operators set", .timeLimit(.minutes(5)))
struct ReloadTests {
    private let now = Fixture.now

    @Test func `a slow read does not bring back what a later one saw changed`() async throws {
        let store = SlowRules()
        let rules = DegradationRules(
            store: store, catalogue: LiveCatalogue(ConfiguredCatalogue(withoutProviders: Fixture.catalogue)))
        let rule = DegradationRule(
            id: "a", kind: .authzAll, requestor: Fixture.requestor, mvpd: nil, resources: [], message: "",
            activation: self.now, ends: self.now + .seconds(60))
        async let slow: Void = rules.reload(now: self.now)
        _ = await store.begun.next()
        let entry = AuditEntry(time: self.now, actor: "op", action: "degradation.add", subject: "a")
        _ = try await store.save([rule], audit: entry)
        try await rules.reload(now: self.now)
        store.goOn.send(())
        try await slow
        #expect(rules.inForce.rules == [rule])
    }

    @Test func `keeps what the latest read found, in whatever order reads end`() {
        var latest = LatestRead("")
        let (first, second, third) = (latest.begin(), latest.begin(), latest.begin())
        #expect(latest.keep("second", readAs: second) && !latest.keep("first", readAs: first))
        #expect(latest.value == "second")
        #expect(latest.keep("third", readAs: third) && latest.value == "third")
    }
}
