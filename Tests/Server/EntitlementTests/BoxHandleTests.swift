import Clientless
import Cryptography
import Testing

@testable import Entitlement

@Suite("What a box is called", .fixture, .timeLimit(.minutes(5)))
struct BoxHandleTests {
    @Test("is the same to its viewer, its brands and operators, over its sign-ins, and says nothing of ID or viewer")
    func oneName() async throws {
        let own = try await fixture.newSignIn()
        let viewer = Viewer(mvpd: own.mvpd, userID: own.userID)
        let handle = try #require(try await domain.boxes.list(of: viewer, now: Fixture.now).boxes.first?.handle)
        #expect(handle.description.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{8}/) != nil)
        #expect(try await domain.boxes.list(for: own).boxes.map(\.handle) == [handle])
        let operated = try await domain.operations.boxes(named: try #require(BoxName(handle.description)))
        #expect(operated.map(\.handle) == [handle])
        #expect(Operations.auditName(of: own.context.device) == "device \(handle)")
        // A second viewer on the same box has the same name for it, and sees nothing of the first.
        let other = try await fixture.newSignIn(account: "bob", now: Fixture.now + .seconds(1))
        #expect(other.userID != own.userID && other.context.device.handle == handle)
        #expect(try await domain.boxes.list(of: viewer, now: Fixture.now + .seconds(1)).boxes.isEmpty)
        #expect(try await domain.boxes.signOut(handle, of: viewer, now: Fixture.now + .seconds(1)) == nil)
        // It is keyed: another server calls the same box otherwise.
        #expect(Hex.encode(Digest.sha256("box".utf8).prefix(8)) != handle.description.filter { $0 != "-" })
    }

    @Test func `is taken in any case, with and without its hyphen`() throws {
        let handle = try #require(BoxHandle("45b46c68-05c2ad71"))
        for text in ["45B46C6805C2AD71", "45b46c68 05c2ad71", "45b4-6c68-05c2-ad71"] {
            #expect(BoxHandle(text) == handle)
        }
        for text in ["", "45b46c68", "45b46c68-05c2ad7g", "45b46c68-05c2ad711", "-"] { #expect(BoxHandle(text) == nil) }
    }
}
