import Clientless
import Testing

@testable import Entitlement

@Suite("A registration code in the store", .fixture, .timeLimit(.minutes(5)))
struct CodeTests {
    @Test(.fixture(limits: { $0.codesBeforeLongerCodes = 1 }))
    func `grow for strict requestors alone: deployed pages take 7 characters`() async throws {
        for requestor in [Fixture.requestor, Fixture.requestor, Fixture.sibling, Fixture.requestor] {
            let code = try await fixture.code(requestor: requestor)
            #expect(code.text.utf8.count == (requestor == Fixture.sibling ? 8 : 7))
        }
    }

    @Test func `the eleventh open code of a box cancels its oldest, and tells who waits for it`() async throws {
        let oldest = try await fixture.code()
        #expect(domain.waitingRoom.wait(on: [.code(oldest)], for: .seconds(50), resume: { _ in }) != nil)
        for step in 1...10 { _ = try await fixture.code(now: Fixture.now + .milliseconds(step)) }
        #expect(domain.waitingRoom.count == 0)
        #expect(try await domain.codes.codeStanding(of: oldest) == .cancelled)
    }

    @Test func `a declined code can be declined again without a login`() async throws {
        let code = try await fixture.code()
        for _ in 0..<2 { try await domain.logins.decline(code: code) }
        #expect(try await domain.codes.codeStanding(of: code) == .declined)
    }

    @Test func `grow for strict requestors while guesses are scarce`() async throws {
        let guessing = domain.codes.guessing
        let now = fixture.uptime.now
        // A million open codes leave strangers three hundred wrong ones.
        guessing.resize(openCodes: [7: 1_000_000], at: now)
        func guess(_ range: Range<UInt32>) throws {
            for number in range {
                let stranger = Guesser(.v4(0x0100_0000 + number << 12))
                let code = try #require(RegistrationCodeText("ZZZZZZZ"))
                switch guessing.admit(stranger, code: code, at: now) {
                case .lookUp(let reservation): reservation.settle(.unknown, at: now)
                case .knownWrong: Issue.record("a first guess was known")
                case .refused: Issue.record("a first guess was refused")
                }
            }
        }
        try guess(0..<200)
        #expect(try await fixture.code(requestor: Fixture.sibling).text.utf8.count == 7)
        try guess(200..<240)
        #expect(guessing.scarcity(at: now) > 0.5)
        #expect(try await fixture.code(requestor: Fixture.sibling).text.utf8.count == 8)
        #expect(try await fixture.code(requestor: Fixture.requestor).text.utf8.count == 7)
    }
}
