import Clientless
import Entitlement
import StoreSQLite
import Testing

@Suite("Two nodes on one store", .timeLimit(.minutes(1)))
struct NodeTests {
    typealias Fixture = PairingFixture
    static let now = PairingFixture.start

    @Test("a node hears of what another node changed, and wakes who waits with it")
    func twoNodes() async throws {
        try await Fixture.with { fixture in
            let other = try Fixture.domain(on: fixture.store)
            try await other.upkeep.start(now: Self.now)
            let position = try await fixture.store.latestChange()
            let code = try await fixture.code()
            _ = try await other.codes.codeStanding(of: code, requestor: Fixture.requestor, now: Self.now)
            #expect(
                other.waitingRoom.wait(on: [.code(code)], until: Self.now + .seconds(50), resume: { _ in }) != nil)
            let token = try await fixture.acceptedLogin(code)
            _ = try await fixture.domain.logins.confirm(token, browser: Fixture.browser, now: Self.now)
            _ = try await other.upkeep.followChanges(after: position, now: Self.now)
            #expect(other.waitingRoom.count == 0)
            guard
                case .signedIn = try await other.codes.codeStanding(
                    of: code, requestor: Fixture.requestor, now: Self.now)
            else { return #expect(Bool(false), "the other node answers from old memory") }
        }
    }
}
