import Clientless
import Cryptography
import FoundationEssentials
import Testing

@testable import Entitlement

@Suite("What the server seals")
struct SealTests {
    private let master = Fixture.masterSecret

    private func keys(_ sealing: Secret...) throws -> ServerKeys {
        try ServerKeys(
            masterSecret: self.master,
            sealing: try sealing.map { (secret) throws(CryptographyError) in try SealingKeys.Key(secret) })
    }

    private func record(_ id: String = "a", at mvpd: String = "CableNova", sealed: [UInt8] = []) throws -> AuthNRecord {
        AuthNRecord(
            id: AuthNID(text: id), context: DeviceContext(device: DeviceHash(bytes: []), appID: nil, deviceUser: nil),
            requestor: try #require(RequestorID("NORTHSPORT")), isExclusive: false,
            mvpd: try #require(MVPDID(mvpd)), userID: "u", code: nil, created: Fixture.now,
            expires: Fixture.now, sealedSession: sealed)
    }

    @Test("does not open in another record, or for another provider")
    func boundToItsRecord() throws {
        let keys = try self.keys()
        let sealed = try keys.sealed("session", in: .session(of: try self.record()))
        #expect(try keys.opened(sealed, as: String.self, in: .session(of: try self.record())) == "session")
        for other in [try self.record("b"), try self.record(at: "SkyFiber")] {
            #expect(throws: EntitlementError.self) { try keys.opened(sealed, as: String.self, in: .session(of: other)) }
        }
    }

    @Test func `has every member of the value, and none is lost on the way`() throws {
        let now = Fixture.now
        var login = ProviderLogin(
            upstreamUserID: "u", session: try ProviderSession([0xFF]), sessionName: "s", until: now,
            metadata: [
                "zip": .text("\"1\""), "channels": .list(["a", "b"]), "maxRating": .map([NamedText("VCHIP", "tv-pg")]),
            ], once: .init("o", until: now))
        (login.doubt, login.recentSince) = ("d", now)
        let description = BoxDescription(
            name: "n", model: "m", software: nil, userAgent: nil, deviceInformation: nil, address: "192.0.2.7")
        let box = KeptBox(description, deviceType: "SetTopBox", isReadOut: true).named("n")
        var session = KeptSession(login, updated: now, box: box)
        session.doubtedSince = now
        let accepted = AcceptedLogin(login: login, origin: .platform, end: now, proved: now)
        let recent = RecentSignIn.Kept(signIn: "i", since: now, passwordMark: [0, 255])
        let form = ProviderForm(to: "https://a.example", [NamedText("f", "v")])
        let context = ProviderLoginContext(
            mvpd: try #require(MVPDID("CableNova")), requestor: try #require(RequestorID("NORTHSPORT")),
            callback: "c", reference: "r", isPassive: true, asksAnew: true)
        let exchange = try ProviderExchange((.form(form), try ProviderState([0xFF])), context, triesHome: true)
        func returned<Value: Decodable>(_ json: JSONValue, _: Value) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(json.bytes))
        }
        #expect(try returned(session.json, session) == session)
        #expect(try returned(accepted.json, accepted) == accepted)
        #expect(try returned(recent.json, recent).passwordMark == recent.passwordMark)
        #expect(try returned(exchange.json, exchange).handover == .form(form))
        #expect(try returned(exchange.json, exchange).context == context)
        let values: [(JSONValue, Any)] = [
            (session.json, session), (login.json, login), (box.json, box), (accepted.json, accepted),
            (recent.json, recent),
        ]
        for (json, value) in values {
            guard case .object(let members) = json else { throw EntitlementError(.internal) }
            #expect(Set(members.map(\.name)) == Set(Mirror(reflecting: value).children.compactMap(\.label)))
        }
    }

    @Test func `is sealed anew for its record under the newest key, and once`() throws {
        let (old, new) = (SecureRandom.secret(32), SecureRandom.secret(32))
        let sealed = try self.keys(old).sealed("session", in: .session(of: try self.record()))
        let keys = try self.keys(new, old)
        let anew = try #require(try keys.resealedSession(of: try self.record(sealed: sealed)))
        #expect(try self.keys(new).opened(anew, as: String.self, in: .session(of: try self.record())) == "session")
        #expect(try keys.resealedSession(of: try self.record(sealed: anew)) == nil)
        #expect(throws: EntitlementError.self) {
            try keys.opened(anew, as: String.self, in: .session(of: try self.record("b")))
        }
    }

    @Test func `does not open when it names no record, or no key`() throws {
        let keys = try self.keys()
        let text = Secret(Data("\"session\"".utf8))
        let unbound = try keys.seal.seal(text, authenticating: "session".utf8)
        let nameless = try AEAD(key: try ServerKeys.derivedSealingKey(self.master)).seal(
            text, authenticating: "session".utf8)
        for sealed in [unbound, nameless] {
            #expect(throws: EntitlementError.self) {
                try keys.opened(sealed, as: String.self, in: .session(of: try self.record()))
            }
        }
    }

    @Test func `of a key pair is sealed anew as well, and opens with the new key alone`() throws {
        let old = try self.keys(SecureRandom.secret(32))
        let foreign = try self.keys(SecureRandom.secret(32))
        let sealed = try old.seal.seal(Secret("private"), authenticating: Credentials.purpose(of: "public").utf8)
        let pair = KeyPairRecord(
            publicKey: "public", sealedPrivateKey: sealed, requestors: [], created: Fixture.now, ends: nil)
        #expect(try old.resealedPrivateKey(of: pair) == nil)
        #expect(throws: EntitlementError.self) { try foreign.resealedPrivateKey(of: pair) }
    }
}
