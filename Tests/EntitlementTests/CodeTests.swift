import Clientless
import Entitlement
import Testing

@Suite("A registration code in the store", .timeLimit(.minutes(1)))
struct CodeTests {
    typealias Fixture = PairingFixture
    static let now = PairingFixture.start

    @Test("the eleventh open code of a box cancels its oldest, and tells who waits for it")
    func superseded() async throws {
        try await Fixture.with { fixture in
            let oldest = try await fixture.code()
            #expect(
                fixture.domain.waitingRoom.wait(
                    on: [.code(oldest)], for: .seconds(50), resume: { _ in }) != nil)
            for step in 1...10 { _ = try await fixture.code(now: Self.now + .milliseconds(step)) }
            #expect(fixture.domain.waitingRoom.count == 0)
            #expect(
                try await fixture.domain.codes.codeStanding(of: oldest, requestor: Fixture.requestor, now: Self.now)
                    == .cancelled)
        }
    }

    @Test("a declined code can be declined again without a login")
    func declineByCode() async throws {
        try await Fixture.with { fixture in
            let code = try await fixture.code()
            for _ in 0..<2 { try await fixture.domain.logins.decline(code: code, now: Self.now) }
            #expect(
                try await fixture.domain.codes.codeStanding(of: code, requestor: Fixture.requestor, now: Self.now)
                    == .declined)
        }
    }
}
