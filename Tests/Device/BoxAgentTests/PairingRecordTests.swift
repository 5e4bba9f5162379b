import Clientless
import Testing

@testable import AccessEnabler
@testable import latchkey

@Suite("A pairing")
struct PairingRecordTests {
    private func note(_ record: inout PairingRecord, _ progress: AccessEnabler.PairingProgress) -> [BoxEvent.News] {
        record.note(progress, at: Timestamp(milliseconds: 1), server: "tve.example.net")
    }

    private func expect(_ news: [BoxEvent.News], from told: [BoxEvent.News]) { #expect(told == news) }

    private func expect(_ conclusion: PairingRecord.Conclusion, of record: inout PairingRecord, isSignedIn: Bool) {
        let found = record.conclude(isSignedIn: isSignedIn)
        #expect(found == conclusion)
    }

    private func code(_ text: String, left: Int64 = 0) throws -> AccessEnabler.PairingProgress {
        let code = AccessEnabler.RegistrationCode(
            code: try #require(RegistrationCodeText(text)), loginURL: nil, expires: Timestamp(seconds: left),
            at: Timestamp(milliseconds: 0))
        return .code(code, left: .seconds(left), isResumed: false)
    }

    @Test func `tells a code once, and how far the viewer got`() throws {
        var record = PairingRecord()
        let first = self.note(&record, try self.code("M3KTKHJ"))
        #expect(first.count == 1)
        // It lives as long as the latest word on it says, and callers hear that: the box's own clock may be wrong.
        for (left, count) in [(100, 1), (103, 0), (90, 1)] as [(Int64, Int)] {
            let told = self.note(&record, try self.code("M3KTKHJ", left: left))
            #expect(told.count == count && (record.shown?.live.timeLeft ?? .zero) > .seconds(left - 5))
        }
        #expect(record.shown?.isOpened == false)
        self.expect([.pageOpened], from: self.note(&record, .pageOpened))
        #expect(record.shown?.isOpened == true)
        self.expect([.signingIn], from: self.note(&record, .state(.loggingIn)))
        self.expect([.confirming], from: self.note(&record, .state(.confirming)))
        self.expect([.pageLeft], from: self.note(&record, .state(.waiting)))
        let gone = EntitlementError(.unreachable)
        let sentence = AgentError.unreachable("tve.example.net")
        self.expect([.unreachable(message: sentence)], from: self.note(&record, .connectionProblem(gone)))
        let busy = EntitlementError(.throttled, retryAfter: .seconds(7))
        self.expect([.slowDown(retryAfter: 7)], from: self.note(&record, .connectionProblem(busy)))
        self.expect([.reachable], from: self.note(&record, .connectionRestored))
    }

    @Test func `renews a code that no viewer opened, a few times, and no other`() throws {
        var record = PairingRecord()
        _ = self.note(&record, try self.code("M3KTKHJ"))
        for _ in 0..<PairingRecord.renewalLimit {
            _ = self.note(&record, .ended(.expired))
            self.expect(.renew, of: &record, isSignedIn: false)
        }
        _ = self.note(&record, .ended(.expired))
        self.expect(.expired, of: &record, isSignedIn: false)

        // A server need not say that the page was opened before it says that the viewer signs in.
        for step in [AccessEnabler.PairingProgress.pageOpened, .state(.loggingIn)] {
            var opened = PairingRecord()
            _ = self.note(&opened, try self.code("M3KTKHJ"))
            _ = self.note(&opened, step)
            _ = self.note(&opened, .ended(.expired))
            self.expect(.expired, of: &opened, isSignedIn: false)
        }
    }

    @Test func `renews a code that the server lost, also one that a viewer opened, a few times`() throws {
        var record = PairingRecord()
        _ = self.note(&record, try self.code("M3KTKHJ"))
        _ = self.note(&record, .pageOpened)
        for _ in 0..<PairingRecord.renewalLimit {
            _ = self.note(&record, .ended(.lost))
            self.expect(.renew, of: &record, isSignedIn: false)
        }
        _ = self.note(&record, .ended(.lost))
        self.expect(.expired, of: &record, isSignedIn: false)
    }

    @Test func `ends as the viewer, the application or the server ended it`() {
        var record = PairingRecord()
        self.expect(.failed, of: &record, isSignedIn: false)
        self.expect(.approved, of: &record, isSignedIn: true)
        _ = self.note(&record, .ended(.declined))
        self.expect(.declined, of: &record, isSignedIn: false)
        record.isCancelled = true
        self.expect(.cancelled, of: &record, isSignedIn: false)
    }
}
