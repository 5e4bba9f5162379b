import Clientless
import Cryptography
import Entitlement
import HTTPClient
import Synchronization
import TestSupport
import Testing
import WireAnswers

@Suite(
    "Tokens presented to the SDK services", .wire(catalogue: WireFixture.sdkCatalogue), .box, .timeLimit(.minutes(5)))
struct PresentedTokenTests {
    /// The operations that take an AuthN document, with what else they need.
    private static let operations: [(name: String, more: [(String, String)])] = [
        ("authorize", [("resource_id", "North Sport HD")]), ("authorizeDevice", [("resource_id", "North Sport HD")]),
        ("preauthorize", [("resource_id", "North Sport HD")]), ("usermetadata", []),
        ("passive", [("mso_id", "CableNova")]), ("boxes", []), ("boxLogout", [("box", "0123456789abcdef")]),
        ("logout", []),
    ]

    private static func present(_ token: String, to operation: String, _ box: SDKBox) async throws -> WireAnswer {
        let more = self.operations.first { $0.name == operation }?.more ?? []
        return try await box.call(operation, [("authentication_token", token)] + more)
    }

    @Test func `are refused alike whichever byte was altered`() async throws {
        let token = Array(try await box.signIn().utf8)
        let expected = try await Self.present("nonsense", to: "usermetadata", box)
        #expect(expected.isError(401, "N130"))
        for position in token.indices {
            var altered = token
            altered[position] ^= 1
            try await Self.present(String(decoding: altered, as: UTF8.self), to: "usermetadata", box).expect(
                401, expected.text, comment: "byte \(position)")
        }
    }

    @Test("without bearer and device are dropped by their client, while they count and for compatible requestors alone")
    func secondRun() async throws {
        let authentication = try await box.signIn()
        let authorization = try await box.authorize(authentication).document("authzToken")
        func present(_ field: String, _ text: String, headers: HTTPClient.Headers = [:]) async throws -> WireAnswer {
            let operation = field == "authz_token" ? "shortAuthorize" : "authorize"
            return try await wire.call(
                .post, "/adobe-services/\(operation)", headers: headers,
                body: SDKBox.form([("requestor_id", "NORTHSPORT"), ("resource_id", "a"), (field, text)]))
        }
        for (field, text) in [("authentication_token", authentication), ("authz_token", authorization)] {
            #expect(try await present(field, text).isPendingLogout)
            #expect(try await present(field, text, headers: ["Authorization": "Bearer "]).isPendingLogout)
            #expect(try await present(field, text, headers: ["ap_21": "box-1"]).isError(401, "401"))
            #expect(try await present(field, text, headers: ["Authorization": "Bearer x"]).isError(401, "401"))
            #expect(try await present(field, String(text.dropLast())).isError(401, "401"))
        }
        #expect(try await Self.present(authentication, to: "logout", box).status == 204)
        #expect(try await present("authentication_token", authentication).isError(401, "401"))
        let device = try #require(DeviceID("box-1"))
        let record = try await wire.domain.signIns.signIn(
            wire.domain.signIns.context(device, appID: nil, deviceUser: nil), requestor: WireFixture.strict,
            mvpd: WireFixture.provider,
            login: ProviderLogin(upstreamUserID: "ada", session: ProviderSession(account: "ada")),
            origin: .regular, now: wire.clock.now)
        let strict = try wire.domain.documents.authenticationDocument(of: record, device: device)
        #expect(try await present("authentication_token", strict).isError(401, "401"))
    }

    @Test("of other makes are refused alike", arguments: ["authentication", "authorization"])
    func foreign(kind: String) async throws {
        let stranger = try RSAPrivateKey.generate()
        let authentication = try await box.signIn()
        let authorization = try await box.authorize(authentication).document("authzToken")
        let media = try await box.mediaToken(authorization).text
        let (own, other) = kind == "authentication" ? (authentication, authorization) : (authorization, authentication)
        let signed = try SignedTokenDocument(parsing: own)
        let unsigned = signed.element
        var texts = [
            other, media, unsigned, Base64.encode(own.utf8), String(own.dropLast()), String(own.dropFirst()),
            own + own, own + "x", "<x>\(own)</x>", own.replacing("<", with: "&lt;"), own.lowercased(),
            "<signatureInfo></signatureInfo>" + unsigned, "<signatureInfo>AAAA</signatureInfo>" + unsigned,
            own.replacing("><", with: "> <"), own.replacing("</signatureInfo>", with: "</signatureInfo>\u{0}"),
            try SignedTokenDocument(element: unsigned, signedBy: stranger).text, "<!DOCTYPE a>" + own,
            String(repeating: "<signatureInfo>", count: 4000), String(repeating: "a", count: 100_000),
        ]
        for (from, to) in [
            ("NORTHSPORT", "WESTSPORT"), ("CableNova", "DishNova"), ("2026/01/", "2036/01/"), ("+0000", "+0100"),
            ("simpleToken", "SimpleToken"),
        ] {
            texts.append(own.replacing(from, with: to))
        }
        let operation = kind == "authentication" ? "usermetadata" : "shortAuthorize"
        let parameter = kind == "authentication" ? "authentication_token" : "authz_token"
        for text in texts {
            let answer = try await box.call(operation, [(parameter, text)])
            #expect(answer.isError(401, "N130"), "\(text.prefix(80)): \(answer.text)")
            #expect(answer.headers["WWW-Authenticate"] == nil)
        }
        #expect(try await box.call(operation, [(parameter, own)]).status == 200)
    }

    @Test func `may end their signature as documentation prints it`() async throws {
        let token = try await box.signIn()
        let printed = token.replacing("</signatureInfo>", with: "<signatureInfo>")
        #expect(try await Self.present(printed, to: "usermetadata", box).status == 200)
    }

    @Test func `of another device are told as such by every operation`() async throws {
        let token = try await box.signIn()
        let authorization = try await box.authorize(token).document("authzToken")
        let thief = box.with { $0.device = "box-2" }
        for operation in Self.operations {
            let answer = try await Self.present(token, to: operation.name, thief)
            #expect(answer.isError(401, "SEC412"), "\(operation.name): \(answer.text)")
        }
        for operation in ["shortAuthorize", "deviceShortAuthorize"] {
            let answer = try await thief.call(operation, [("authz_token", authorization)])
            #expect(answer.isError(401, "SEC412"), "\(operation)")
        }
        // Nothing of that has touched the sign-in.
        #expect(try await Self.present(token, to: "usermetadata", box).status == 200)
    }

    @Test func `hold to the second before they end, and are over at it`() async throws {
        let token = try await box.signIn(mvpd: WireFixture.shortProvider)
        let authorization = try await box.authorize(token).document("authzToken")
        wire.clock.advance(by: .seconds(3599))
        #expect(try await Self.present(token, to: "usermetadata", box).status == 200)
        #expect(try await box.mediaToken(authorization).status == 200)
        for _ in 0..<2 {
            wire.clock.advance(by: .seconds(1))
            for operation in Self.operations {
                let answer = try await Self.present(token, to: operation.name, box)
                #expect(answer.isError(410, "N130", details: "expired"), "\(operation.name): \(answer.text)")
            }
            #expect(try await box.mediaToken(authorization).isError(410, "410", details: "expired"))
        }
        // Whose device it is comes first: what is over tells nobody anything.
        let thief = box.with { $0.device = "box-2" }
        #expect(try await Self.present(token, to: "usermetadata", thief).isError(401, "SEC412"))
    }

    @Test(arguments: ["logout", "rest", "replaced", "provider", "operator"])
    func `whose sign-in is gone make the box start over`(how: String) async throws {
        let token = try await box.signIn()
        let authorization = try await box.authorize(token).document("authzToken")
        switch how {
        case "logout":
            #expect(try await Self.present(token, to: "logout", box).status == 204)
        case "rest":
            try await wire.signed(.delete, "/api/v1/logout?deviceId=box-1&requestor=NORTHSPORT").expect(204)
        case "replaced":
            #expect(try await box.signIn() != token)
        case "provider":
            let ended = try await wire.domain.operations.end(
                .viewer("ada"), at: WireFixture.provider, now: wire.clock.now)
            #expect(ended == 1)
        default:
            let device = try #require(DeviceID("box-1"))
            _ = try await wire.domain.operations.deleteRecords(of: device, actor: "operator", now: wire.clock.now)
        }
        for operation in Self.operations {
            let answer = try await Self.present(token, to: operation.name, box)
            #expect(answer.isPendingLogout, "\(operation.name): \(answer.text)")
            let words = ["provider": "refused_by_provider", "operator": "ended_by_operator", "replaced": "replaced"]
            #expect(answer.headers["Latchkey-Sign-In-Ending"] == words[how] ?? "signed_out")
            #expect(answer.headers["Content-Type"] == "application/xml;charset=utf-8")
        }
        let media = try await box.mediaToken(authorization)
        // A new sign-in of the device stands, so it is only the decision that is over.
        #expect(how == "replaced" ? media.isError(410, "410", details: "expired") : media.isPendingLogout)
        // And the session has nothing for it.
        try await box.call("session", [("mso_id", "CableNova")]).expect((how == "replaced" ? 200 : 401))
    }

    @Test("that another requestor may use are served, and those it may not use are no sign-in of its own")
    func sharing() async throws {
        let sibling = box.with { $0.requestor = WireFixture.sibling }
        let shared = try await box.signIn()
        let answer = try await sibling.authorize(shared)
        let document = try answer.document("authzToken")
        let said = try AuthorizationTokenDocument(element: SignedTokenDocument(parsing: document).element)
        #expect(said.requestor == WireFixture.sibling)
        #expect(try await sibling.mediaToken(document).status == 200)
        #expect(try await box.mediaToken(document).isError(401, "N130"))
        let own = try await box.signIn(mvpd: WireFixture.otherProvider)
        #expect(try await box.authorize(own).status == 200)
        for operation in Self.operations where operation.name != "passive" {
            let answer = try await Self.present(own, to: operation.name, sibling)
            #expect(answer.isError(401, "N000"), "\(operation.name): \(answer.text)")
        }
        #expect(try await Self.present(own, to: "usermetadata", box).status == 200)
    }

    @Test func `that an older key signed still hold, and new ones are the new key's`() async throws {
        let (old, new) = (try RSAPrivateKey.generate(), try RSAPrivateKey.generate())
        let folder = try TemporaryFolder()
        let kept = Mutex((token: "", decision: ""))
        try await WireFixture.serve(
            catalogue: WireFixture.sdkCatalogue, documents: TokenDocumentSigner(signingWith: old), in: folder
        ) { wire in
            let box = try await SDKBox(wire)
            let token = try await box.signIn()
            let decision = try await box.authorize(token).document("authzToken")
            kept.withLock { $0 = (token, decision) }
        }
        let (token, decision) = kept.withLock { $0 }
        let signer = TokenDocumentSigner(signingWith: new, alsoAccepting: [old.verificationKey])
        try await WireFixture.serve(catalogue: WireFixture.sdkCatalogue, documents: signer, in: folder) { wire in
            let box = try await SDKBox(wire)
            #expect(try await Self.present(token, to: "usermetadata", box).status == 200)
            #expect(try await box.mediaToken(decision).status == 200)
            let fresh = try await box.authorize(token).document("authzToken")
            #expect(try SignedTokenDocument(parsing: fresh).isSigned(byOneOf: [new.verificationKey]))
            let session = try await box.call("session", [("mso_id", "CableNova")]).document("authnToken")
            #expect(try SignedTokenDocument(parsing: session).isSigned(byOneOf: [new.verificationKey]))
        }
        let alone = TokenDocumentSigner(signingWith: new)
        try await WireFixture.serve(catalogue: WireFixture.sdkCatalogue, documents: alone, in: folder) { wire in
            let box = try await SDKBox(wire)
            #expect(try await Self.present(token, to: "usermetadata", box).isError(401, "N130"))
            #expect(try await box.mediaToken(decision).isError(401, "N130"))
        }
    }
}
