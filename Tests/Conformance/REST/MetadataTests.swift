import Cryptography
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("User metadata on the wire", .wire, .timeLimit(.minutes(5)))
struct MetadataTests {
    private static let target = "/api/v1/tokens/usermetadata?deviceId=box-1&requestor=FULLSPORT"

    /// Decrypts with the openssl program, as a programmer would.
    private static func decrypted(_ value: String) async throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(ProgrammerCertificate.privateKey(), to: "key.pem")
        try folder.write(value, to: "sealed")
        let command =
            "openssl base64 -d -A -in sealed | "
            + "openssl pkeyutl -decrypt -inkey key.pem -pkeyopt rsa_padding_mode:pkcs1 -out clear"
        let program = try ChildProcess("/bin/sh", ["-c", "cd '\(folder.path)' && \(command)"])
        #expect(await program.run().end == .exited(0))
        return try folder.read("clear")
    }

    @Test func `leaves encrypted what must be, for the programmer's private key`() async throws {
        wire.provider.setMetadata(WireFixture.metadata)
        try await wire.signedInDevice(requestor: WireFixture.full)
        let json = try await wire.signed(.get, Self.target).expect(200)
        let channels = try #require(json.value("channelID"))
        let household = try #require(json.value("householdID"))
        let rating = try #require(json.value("maxRating"))
        // Too long to encrypt is left out, and so is what is not released.
        #expect(
            json.text
                == #"{"updated":1767225600,"encrypted":["channelID","householdID","maxRating"],"data":{"#
                + #""channelID":"\#(channels)","householdID":"\#(household)","maxRating":"\#(rating)","#
                + #""mvpd":"CableNova","notes":"a<b>&\"c\"","spaced key":"x","zip":["12345","34567"]}}"#)
        #expect(try await Self.decrypted(channels) == #"["north-1","n\"<2>"]"#)
        #expect(try await Self.decrypted(household) == "H-3456")
        #expect(
            try await Self.decrypted(rating)
                == #"{"MPAA":"PG-13","VCHIP":"TV-14","URL":"https://provider.example/ratings"}"#)
        #expect(Base64.decode(household)?.count == 256)
        #expect(try await wire.signed(.get, Self.target).value("householdID") != household)
    }

    @Test func `is XML whose every key can name an element`() async throws {
        wire.provider.setMetadata(WireFixture.metadata)
        try await wire.signedInDevice(requestor: WireFixture.full)
        let answer = try await wire.signed(.get, Self.target, accept: "*/*")
        let channels = try #require(answer.value("channelID"))
        let household = try #require(answer.value("householdID"))
        let rating = try #require(answer.value("maxRating"))
        #expect(
            answer.text == StatusAnswer.declaration
                + "<userMetadata><updated>1767225600</updated><encrypted><key>channelID</key>"
                + "<key>householdID</key><key>maxRating</key></encrypted><data><channelID>\(channels)</channelID>"
                + "<householdID>\(household)</householdID><maxRating>\(rating)</maxRating><mvpd>CableNova</mvpd>"
                + "<notes>a&lt;b&gt;&amp;\"c\"</notes><zip>12345</zip><zip>34567</zip></data></userMetadata>")
        #expect(try await Self.decrypted(household) == "H-3456")
    }

    @Test func `that must be encrypted stays here where there is no certificate`() async throws {
        wire.provider.setMetadata(WireFixture.metadata)
        try await wire.signedInDevice(requestor: WireFixture.loud)
        try await wire.signed(.get, "/api/v1/tokens/usermetadata?deviceId=box-1&requestor=LOUDSPORT").expect(
            200,
            #"{"updated":1767225600,"encrypted":[],"data":{"mvpd":"CableNova","notes":"a<b>&\"c\"","#
                + #""spaced key":"x","zip":["12345","34567"]}}"#)
    }

    @Test func `of a promotional trial says what is left of it`() async throws {
        let body =
            "requestor_id=FULLSPORT&deviceId=box-1&mso_id=FreePick&domain_name=full-sport.example"
            + "&generic_data=(\"email\":\"f7ee\")"
        #expect(try await wire.signed(.post, "/api/v1/authenticate/freepreview", body: body).status == 204)
        wire.clock.advance(by: .seconds(5))
        try await wire.authorize("North Sport HD", for: WireFixture.full)
        try await wire.signed(.get, Self.target).expect(
            200,
            #"{"updated":1767225605,"encrypted":[],"data":{"expiration_date":"1767229205000","#
                + #""remaining_resources":"1","used_assets":["North Sport HD"]}}"#)
    }

    @Test func `of a platform sign-in says where it came from`() async throws {
        let body =
            "requestor=FULLSPORT&deviceId=box-1&mvpd=CableNova&deviceType=tvOS&SAMLResponse="
            + Base64.encode(AcceptedAssertions.response("7"))
        #expect(try await wire.signed(.post, "/api/v1/tokens/authn", body: body).status == 204)
        try await wire.signed(.get, Self.target).expect(
            200, #"{"updated":1767225600,"encrypted":[],"data":{"tokenSource":"Apple"}}"#)
        // An assertion is good once.
        #expect(try await wire.signed(.post, "/api/v1/tokens/authn", body: body).status == 400)
    }
}
