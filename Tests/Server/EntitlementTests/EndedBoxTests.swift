import Clientless
@testable import Entitlement
import Testing

@Suite("A box that was signed out", .fixture, .timeLimit(.minutes(5)))
struct EndedBoxTests {
    private static let later = Fixture.now + .seconds(60)

    @Test func `stays for its operator: when, by whom and why`() async throws {
        let operations = domain.operations
        let record = try await fixture.newSignIn()
        _ = try await operations.deleteRecords(of: record.context.device, actor: "operator ada", now: Self.later)
        let box = try #require(try await operations.box(DeviceID("box")!))
        #expect(box.signIns.isEmpty && box.ended.map(\.id) == [record.id])
        #expect(box.ended.map(\.end) == [SignInEnd(at: Self.later, by: "operator ada", .endedByOperator)])
        #expect(try await operations.boxes(.all, limit: 9).boxes.isEmpty)
        for selection in [AuthNSelection.all, .with { $0.requestor = Fixture.requestor }] {
            #expect(try await operations.boxes(ended: selection, limit: 9).boxes.map(\.handle) == [box.handle])
        }
        #expect(try await operations.boxes(ended: .with { $0.requestor = Fixture.sibling }, limit: 9).boxes.isEmpty)
        let prefix = try #require(BoxName(String(box.handle.description.prefix(9))))
        #expect(try await operations.boxes(named: prefix) == [box])
    }

    private func steps(now: Timestamp) async throws -> [ExplanationStep] {
        let box = try #require(try await domain.operations.box(DeviceID("box")!))
        return try await Administration(catalogue: domain.catalogue, store: fixture.store, keys: domain.keys)
            .explanations.steps(on: Resource("ada TV")!, by: box, requestor: Fixture.requestor, now: now)
    }

    @Test("is told apart by who signed it out, and the answer to \"why does it not play\" begins with it")
    func reasons() async throws {
        func last() async throws -> SignInEnd? { try await domain.operations.box(DeviceID("box")!)?.ended.first?.end }
        let first = try await fixture.newSignIn()
        try await fixture.signedIn(account: "bob", now: Self.later)
        let replaced = try await last()
        #expect(replaced?.reason == .replaced && replaced?.sentence == "replaced by a newer sign-in")
        // A box that is signed in was not signed out.
        let goingOn = try await self.steps(now: Self.later)
        #expect(goingOn.first == .credentials(keyPairs: 0, applications: 0, used: nil), "\(goingOn)")
        let second = try await fixture.record(now: Self.later)
        #expect(second.id != first.id)
        try await domain.signIns.logout(second, now: Self.later + .seconds(1))
        #expect(try await last()?.sentence == "signed out on the box")
        let third = try await fixture.newSignIn(now: Self.later + .seconds(2))
        _ = try await domain.boxes.signOut(
            third.context.device.handle, of: Viewer(mvpd: third.mvpd, userID: third.userID),
            now: Self.later + .seconds(3))
        #expect(try await last()?.reason == .signedOutElsewhere)
        let box = try #require(try await domain.operations.box(DeviceID("box")!))
        #expect(box.ended.count == 3)
        let steps = try await self.steps(now: Self.later + .seconds(4))
        #expect(steps.first == .ended(box.ended[0]) && steps.last == .noSignIn)
    }
}
