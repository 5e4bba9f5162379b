import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import Glibc
import Testing
import latchkeyd

@Suite("latchkeyd keys rotate-seal", .demo, .timeLimit(.minutes(5)))
struct RotateSealTests {
    /// Late enough for the first key of a new set-up to seal.
    private let start = SystemClock.now() + .seconds(60)

    /// Keeps `count` sign-ins whose sessions are sealed with the key that seals at ``start``.
    private func signIn(_ count: Int) async throws {
        let keys = try KeyFolder(setUp.file("keys")).load(now: self.start).serverKeys
        try await setUp.store { store in
            for number in 0..<count {
                var record = AuthNRecord(
                    id: AuthNID(text: "record-\(number)"),
                    context: DeviceContext(
                        device: keys.deviceHash(DeviceID("box \(number)")!), appID: nil, deviceUser: nil),
                    requestor: RequestorID("DEMO")!, isExclusive: false, mvpd: MVPDID("DemoTV")!, userID: "u",
                    code: nil, created: self.start, expires: self.start + .seconds(86_400), sealedSession: [])
                record.sealedSession = try keys.sealed(.string("session \(number)"), in: .session(of: record))
                try await store.insert(record)
            }
        }
    }

    @Test("seals everything anew in pages, so that the old key's file is not needed any more")
    func everything() async throws {
        try await self.signIn(401)
        let made = try await setUp.run("keys", "rotate-seal", "--key-only", now: self.start).expect(.success)
        #expect(made.output == setUp.file("keys/sealing-2.key") + "\n")
        #expect(made.talk.hasPrefix("Copy it to the key folder of every server"), "\(made.talk)")
        let early = try await setUp.run("keys", "rotate-seal", "--seal-only", now: self.start + .seconds(29)).expect(
            .failure)
        #expect(early.talk.hasPrefix("latchkeyd: The newest sealing key is too new"), "\(early.talk)")

        let run = try await setUp.run("keys", "rotate-seal", "--seal-only", now: self.start + .seconds(31)).expect(
            .success)
        let pairs = try await setUp.store { try await $0.credentials().keyPairs }
        #expect(run.talk.hasPrefix("\(401 + pairs.count) values are sealed anew; everything has the new key.\n"))
        #expect(run.talk.contains(setUp.file("keys/sealing-1.key")))

        try FileManager.default.removeItem(atPath: setUp.file("keys/sealing-1.key"))
        let keys = try KeyFolder(setUp.file("keys")).load(now: self.start + .seconds(31)).serverKeys
        try await setUp.store { store in
            for number in [0, 199, 200, 400] {
                let record = try #require(try await store.authentication(AuthNID(text: "record-\(number)")))
                #expect(
                    try keys.opened(record.sealedSession, as: String.self, in: .session(of: record))
                        == "session \(number)")
            }
        }
        #expect(try await setUp.run("check", now: self.start + .seconds(31)).code == .success)
        #expect(try await setUp.run("audit", "--json").output.contains(#""action":"sealing-key.rotate""#))
        let again = try await setUp.run("keys", "rotate-seal", "--seal-only", now: self.start + .seconds(32))
        #expect(again.talk.hasPrefix("0 values are sealed anew"))
    }

    @Test func `leaves a key pair alone that a server's operator ends at the same moment`() async throws {
        let folder = KeyFolder(setUp.file("keys"))
        _ = try folder.rotateSealing(now: self.start)
        let keys = try folder.load(now: self.start + .seconds(31)).serverKeys
        try await setUp.store { store in
            let pair = try #require(try await store.credentials().keyPairs.first)
            let sealed = try #require(try keys.resealedPrivateKey(of: pair))
            _ = try await store.endKeyPair(
                pair.publicKey, at: self.start,
                audit: AuditEntry(time: self.start, actor: "a", action: "b", subject: "c"))
            #expect(try await store.reseal(pair.publicKey, from: pair.sealedPrivateKey, to: sealed))
            let now = try #require(try await store.credentials().keyPairs.first { $0.publicKey == pair.publicKey })
            #expect(now.ends == self.start)
        }
    }
}
