import FoundationEssentials
import TestSupport
import Testing

@Suite("A profile of a service somebody else runs")
struct ProfileTests {
    private static let example = URL(filePath: ProjectFolder.file("Tests/Conformance/Profiles/example.json"))

    @Test("is the printed example, whose every member is known")
    func example() throws {
        let data = try Data(contentsOf: Self.example)
        let profile = try JSONDecoder().decode(Profile.self, from: data)
        #expect(profile.brief?.lifetime == 1 && profile.throttled?.burst == 10)
        #expect(profile.revocable?.command.first == "latchkeyd")
        #expect(profile.serverKeyPair != nil && profile.temporaryPass != nil && profile.expiredAccessToken != nil)
    }

    @Test func `needs no member that only some services have`() throws {
        let text = """
            {"requestor":"R","keyPair":{"publicKey":"p","privateKey":"k"},"softwareStatement":"s","domain":"d",\
            "redirectURL":"u","mvpd":"M","account":{"account":"a","password":"p"},"otherMVPD":"O",\
            "otherAccount":{"account":"b","password":"p"},"resource":"x","otherResource":"y"}
            """
        let profile = try JSONDecoder().decode(Profile.self, from: Data(text.utf8))
        #expect(profile.brief == nil && profile.throttled == nil && profile.revocable == nil)
    }
}
