import Clientless
import Entitlement
import Testing

@Suite("User metadata", .fixture, .timeLimit(.minutes(5)))
struct MetadataTests {
    @Test func `is what the provider said at sign-in, and says when that was`() async throws {
        try await fixture.signedIn(account: "kid")
        let metadata = try #require(
            try await domain.metadata.userMetadata(fixture.device("box"), now: Fixture.now + .seconds(60)))
        #expect(metadata.updated == Fixture.now)
        #expect(metadata.values.map(\.key) == ["householdID", "maxRating", "mvpd"])
        #expect(metadata.values[0].value == .text("H-kid"))
        #expect(metadata.encryptedKeys.isEmpty)
    }

    @Test func `is nothing when the provider said nothing, and refused to nobody's device`() async throws {
        try await fixture.signedIn(account: "bob")
        #expect(try await domain.metadata.userMetadata(fixture.device("box")) == nil)
        await expectError(.notAuthenticated) { try await domain.metadata.userMetadata(fixture.device("other")) }
    }

    @Test func `is released and encrypted as agreed with each requestor`() async throws {
        try await fixture.signedIn(mvpd: Fixture.otherProvider)
        func metadata(_ requestor: RequestorID) async throws -> UserMetadata? {
            try await domain.metadata.userMetadata(fixture.device("box"), requestor: requestor, now: Fixture.now)
        }
        let all = try #require(try await metadata(Fixture.requestor))
        #expect(all.values.map(\.key) == ["householdID", "mvpd", "zip"] && all.encryptedKeys.isEmpty)
        let some = try #require(try await metadata(Fixture.sibling))
        #expect(some.values.map(\.key) == ["zip"])
        #expect(some.encryptedKeys == ["zip"], "what is not released is not named either")
    }
}
