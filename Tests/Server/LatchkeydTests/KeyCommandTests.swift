import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import POSIX
import TestSupport
import Testing
import latchkeyd

private struct Pair: Decodable {
    let publicKey: String
    let privateKey: String?
    let requestors: [String]
    let ends: String?
}

private struct BoxWay: Decodable, Equatable {
    let certificateAuthority: String?
    let proxy: String?
}

private struct Application: Decodable {
    let softwareID: String
    let name: String
    let requestors: [String]
    let redirectTargets: [String]
    let scopes: [String]
    let ends: String?
    let softwareStatement: String?
}

private func decoded<Value: Decodable>(_ run: CommandRun, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(run.output.utf8))
}

@Suite("latchkeyd keys", .demo)
struct KeyCommandTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test func `issues a pair whose private half a server unseals and no list shows`() async throws {
        let run = try await setUp.run("keys", "issue", "--requestor", "DEMO", "--requestor", "DEMO-CLASSIC", "--json")
            .expect(.success)
        let pair: Pair = try decoded(run)
        #expect(pair.requestors == ["DEMO", "DEMO-CLASSIC"])
        let privateKey = try #require(pair.privateKey)

        let keys = try KeyFolder(setUp.file("keys")).load().serverKeys
        let pairs = try await setUp.store { try await $0.credentials().keyPairs }
        let record = try #require(pairs.first { $0.publicKey == pair.publicKey })
        let opened = try keys.seal.open(
            record.sealedPrivateKey, authenticating: Credentials.purpose(of: pair.publicKey).utf8)
        #expect(opened.withBytes { String(decoding: $0, as: UTF8.self) } == privateKey)

        let list = try await setUp.run("keys", "list", "--json")
        #expect(try decoded(list, as: [Pair].self).contains { $0.publicKey == pair.publicKey })
        #expect(list.output.contains("privateKey") == false)
        #expect(try await setUp.run("keys", "list").output.contains(privateKey) == false)
    }

    @Test func `tells a box what its network needs, and a programmer's server not`() async throws {
        try setUp.replace(
            "    boxes: {\n",
            with: "    boxes: {\n        certificateAuthority: '/etc/ca.pem', proxy: 'http://proxy.example:3128',\n")
        let pair = ["keys", "issue", "--requestor", "DEMO", "--json", "--config", setUp.configurationFile]
        let application = [
            "keys", "application", "issue", "--name", "Player", "--requestor", "DEMO", "--json", "--config",
            setUp.configurationFile,
        ]
        for arguments in [pair, application] {
            let box: BoxWay = try decoded(try await CommandRun.run(arguments))
            #expect(box == BoxWay(certificateAuthority: "/etc/ca.pem", proxy: "http://proxy.example:3128"))
            let server: BoxWay = try decoded(try await CommandRun.run(arguments + ["--server-to-server"]))
            #expect(server == BoxWay(certificateAuthority: nil, proxy: nil))
        }
    }

    @Test func `issues a set-up code in place of a pair: for one requestor, for as long as is said`() async throws {
        struct Issued: Decodable {
            let code: String
            let server: String
            let requestor: String
            let expires: String
        }
        let before: [Pair] = try decoded(try await setUp.run("keys", "list", "--json"))
        let run = try await setUp.run(
            "keys", "issue", "--setup-code", "--requestor", "DEMO", "--valid", "1d", "--json", now: self.now
        ).expect(.success)
        let issued: Issued = try decoded(run)
        #expect(SetUpCodeText(issued.code)?.grouped == issued.code && issued.requestor == "DEMO")
        #expect(issued.expires == "2027-01-16T08:00:00Z")
        let after: [Pair] = try decoded(try await setUp.run("keys", "list", "--json"))
        #expect(after.count == before.count)
        let shown = try await setUp.run("keys", "issue", "--setup-code", "--requestor", "DEMO", now: self.now)
        #expect(shown.output.contains("good until   2027-01-15T09:00:00Z"), "\(shown.output)")
        #expect(shown.talk.contains("latchkey init --server \(issued.server) --code "))
        struct Listed: Decodable { let name: String; let requestor: String; let expires: String }
        let listed: [Listed] = try decoded(
            try await setUp.run("keys", "setup-code", "list", "--json", now: self.now + .seconds(60)))
        #expect(listed.map(\.expires).sorted() == ["2027-01-15T09:00:00Z", "2027-01-16T08:00:00Z"])
        let mistake = try #require(listed.first { $0.expires == issued.expires })
        let taken = try await setUp.run("keys", "setup-code", "revoke", mistake.name, now: self.now + .seconds(60))
        #expect(taken.code == .success && taken.talk == "The code \(mistake.name) was taken back.\n", "\(taken.talk)")
        #expect(try await setUp.run("keys", "setup-code", "revoke", mistake.name, now: self.now).code == .failure)
        let left = try await setUp.run("keys", "setup-code", "list", now: self.now + .seconds(60)).output
        #expect(left.split(separator: "\n").count == 2 && !left.contains(mistake.name), "\(left)")
        let over = try await setUp.run("keys", "setup-code", "list", "--json", now: self.now + .seconds(3600))
        #expect(over.output == "[]\n")
        let audit = try await setUp.run("audit")
        #expect(audit.output.contains("set-up-code.create") && !audit.output.contains(issued.code))
        #expect(audit.output.contains("set-up-code.revoke") && audit.output.contains("set-up code \(mistake.name)"))
        for words in [
            ["--requestor", "DEMO", "--requestor", "DEMO-CLASSIC"], ["--requestor", "DEMO", "--server-to-server"],
            ["--requestor", "DEMO", "--valid", "59s"], ["--requestor", "DEMO", "--valid", "8d"],
        ] {
            let refused = try await setUp.run(["keys", "issue", "--setup-code"] + words)
            #expect(refused.code == .usage, "\(words)")
        }
        #expect(try await setUp.run("keys", "issue", "--requestor", "DEMO", "--valid", "1h").code == .usage)
    }

    @Test("a set-up code in place of a software statement is for one of the application's requestors")
    func statementCode() async throws {
        struct Made: Decodable { let softwareID: String }
        let made: Made = try decoded(
            try await setUp.run(
                "keys", "application", "issue", "--name", "Player", "--requestor", "DEMO", "--requestor",
                "DEMO-CLASSIC", "--json", now: self.now))
        let words = ["keys", "application", "statement", made.softwareID, "--config", setUp.configurationFile]
        let run = try await CommandRun.run(words + ["--setup-code", "--requestor", "DEMO-CLASSIC", "--json"]).expect(
            .success)
        #expect(run.output.contains(#""requestor":"DEMO-CLASSIC""#) && !run.output.contains("eyJ"))
        for more in [["--setup-code"], ["--setup-code", "--requestor", "NOBODY"], ["--valid", "1h"], ["--json"]] {
            #expect(try await CommandRun.run(words + more).code == .usage, "\(more)")
        }
        #expect(try await CommandRun.run(words).output.contains("eyJ"))
    }

    @Test func `rotates: a new pair for the same requestors, the old one for another seven days`() async throws {
        let old: Pair = try decoded(
            try await setUp.run("keys", "issue", "--requestor", "DEMO", "--json", now: self.now))
        let run = try await setUp.run("keys", "rotate", old.publicKey, "--json", now: self.now).expect(.success)
        let new: Pair = try decoded(run)
        #expect(new.publicKey != old.publicKey && new.requestors == ["DEMO"] && new.ends == nil)
        #expect(run.talk == "The old pair is accepted until 2027-01-22T08:00:00Z.\n")
        let list: [Pair] = try decoded(try await setUp.run("keys", "list", "--json"))
        #expect(list.first { $0.publicKey == old.publicKey }?.ends == "2027-01-22T08:00:00Z")

        // Rotating again must not prolong it.
        _ = try await setUp.run("keys", "rotate", old.publicKey, "--overlap", "30d", now: self.now)
        let again: [Pair] = try decoded(try await setUp.run("keys", "list", "--json"))
        #expect(again.first { $0.publicKey == old.publicKey }?.ends == "2027-01-22T08:00:00Z")
    }

    @Test func `revokes at once, and an ended pair cannot be rotated back to life`() async throws {
        let pair: Pair = try decoded(
            try await setUp.run("keys", "issue", "--requestor", "DEMO", "--json", now: self.now))
        let run = try await setUp.run("keys", "revoke", pair.publicKey, now: self.now).expect(.success)
        #expect(run.talk == "\(pair.publicKey) ended 2027-01-15T08:00:00Z.\n")
        let list = try await setUp.run("keys", "list", now: self.now)
        #expect(
            list.output.contains("\(pair.publicKey)  2027-01-15T08:00:00Z  ended 2027-01-15T08:00:00Z  box      DEMO"))
        let rotated = try await setUp.run("keys", "rotate", pair.publicKey, now: self.now).expect(.failure)
        #expect(rotated.talk.hasPrefix("latchkeyd: The key pair \(pair.publicKey) ended at 2027-01-15T08:00:00Z."))
    }

    @Test(
        "says what is wrong with a command that names nothing it knows",
        arguments: [
            (["keys", "issue"], ExitCode.usage, "--requestor is missing; there are DEMO, DEMO-CLASSIC."),
            (
                ["keys", "issue", "--requestor", "DEMOS"], .usage,
                "The configuration has no requestor 'DEMOS'. Did you mean 'DEMO'?"
            ),
            (["keys", "revoke", "nothing", "2"], .failure, "nothing, 2: There is no key pair with this public key."),
            (["keys", "rotate", "nothing", "--overlap", "7"], .usage, "--overlap takes a time from 0s to 366d"),
            (["keys", "signing", "rotate", "--use", "x"], .usage, "--use takes one of token-signing"),
            (
                ["keys", "application", "issue", "--name", "A", "--requestor", "DEMO", "--scope", "x"], .usage,
                "--scope takes one of api:client:v1"
            ),
            (
                ["keys", "application", "issue", "--name", "A", "--requestor", "DEMO", "--redirect", "javascript"],
                .usage, "--redirect takes a domain in lower case"
            ),
            (["keys", "application", "revoke", "x"], .failure, "x: There is no application with this software ID."),
        ])
    func wrong(words: [String], code: ExitCode, sentence: String) async throws {
        let run = try await setUp.run(words).expect(code)
        #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
        #expect(run.output == "")
    }

    @Test func `registers an application, signs its statement again, and revokes it`() async throws {
        let issued = try await setUp.run(
            "keys", "application", "issue", "--name", "North Sport", "--requestor", "DEMO", "--redirect", "hcplayer://",
            "--redirect", "north-sport.example", "--scope", "api:client:v1", "--scope", "decisions:owner", "--json",
            now: self.now
        ).expect(.success)
        let application: Application = try decoded(issued)
        #expect(application.redirectTargets == ["hcplayer", "north-sport.example"])
        #expect(application.scopes == ["api:client:v1", "decisions:owner"])

        let trusted = try KeyFolder(setUp.file("keys")).load().softwareStatement.map(\.key.publicKey)
        let statement = try SoftwareStatement(
            reading: try #require(application.softwareStatement), trusting: trusted, issuer: "127.0.0.1", at: self.now)
        #expect(statement.softwareID == application.softwareID)

        #expect(try await setUp.run("keys", "signing", "rotate", "--use", "software-statement").code == .success)
        let again = try await setUp.run("keys", "application", "statement", application.softwareID, now: self.now)
        #expect(throws: JSONWebTokenError.badSignature) {
            try SoftwareStatement(reading: again.output, trusting: trusted, issuer: "127.0.0.1", at: self.now)
        }
        let both = try KeyFolder(setUp.file("keys")).load().softwareStatement.map(\.key.publicKey)
        _ = try SoftwareStatement(reading: again.output, trusting: both, issuer: "127.0.0.1", at: self.now)

        try await setUp.run("keys", "application", "revoke", application.softwareID, now: self.now).expect(.success)
        let list: [Application] = try decoded(try await setUp.run("keys", "application", "list", "--json"))
        #expect(list.first { $0.softwareID == application.softwareID }?.ends == "2027-01-15T08:00:00Z")
        let refused = try await setUp.run("keys", "application", "statement", application.softwareID, now: self.now)
        #expect(refused.code == .failure && refused.output == "")
    }

    @Test func `revokes one installation of an application, once`() async throws {
        let application = try await setUp.store { store in
            let application = try #require(try await store.credentials().applications.first)
            for id in ["lost", "other"] {
                let client = ClientRecord(
                    clientID: id, secretHash: [1], softwareID: application.softwareID, redirectURIs: [],
                    created: self.now)
                #expect(try await store.insert(client, quota: nil))
            }
            return application
        }
        let list = try await setUp.run("keys", "client", "list", application.softwareID)
        #expect(list.output.contains("lost       2027-01-15T08:00:00Z  2027-01-15T08:00:00Z\n"), "\(list.output)")
        #expect(try await setUp.run("keys", "client", "list", "none").code == .failure)
        let revoked = try await setUp.run("keys", "client", "revoke", "none", "lost", now: self.now)
        let talk = "lost was revoked.\nlatchkeyd: none: There is no client with this ID.\n"
        #expect(revoked.code == .failure && revoked.talk == talk, "\(revoked.talk)")
        #expect(try await setUp.run("keys", "client", "revoke", "lost", now: self.now).code == .failure)
        let left = try await setUp.store { (try await $0.client("lost"), try await $0.client("other")) }
        #expect(left.0 == nil && left.1 != nil)
        #expect(try setUp.folder.read("server/latchkeyd.sqlite-revoked").contains(#"{"client":"#))
    }

    @Test func `shows which signing key signs, which will, and which only verify`() async throws {
        let rotated = try await setUp.run("keys", "signing", "rotate", "--use", "token-signing", now: self.now)
        let (old, new) = (setUp.file("keys/token-signing-1.pem"), setUp.file("keys/token-signing-2.pem"))
        #expect(rotated.output == "\(new)\n")
        #expect(rotated.talk.hasPrefix("It signs in 15m.\nPlayback back ends must fetch http://127.0.0.1:18443/.well-"))
        #expect(PrivateFiles.status(new)?.modeText == "0600")
        func list(after duration: Duration) async throws -> String {
            try await setUp.run("keys", "signing", "list", now: self.now + duration).output
                .split(separator: "\n").filter { $0.hasPrefix("token-signing ") }.joined(separator: "\n")
        }
        #expect(
            try await list(after: .seconds(899)) == """
                token-signing       signs from 2027-01-15T08:15:00Z  \(new)
                token-signing       signs                            \(old)
                """)
        #expect(
            try await list(after: .seconds(900)) == """
                token-signing       signs     \(new)
                token-signing       verifies  \(old)
                """)
        let json = try await setUp.run("keys", "signing", "list", "--json", now: self.now)
        #expect(json.output.contains(#""signs":false,"signsFrom":"2027-01-15T08:15:00Z","use":"token-signing""#))
    }

    @Test func `marks what a programmer's server uses, and keeps the mark when the pair is rotated`() async throws {
        let issued = try await setUp.run("keys", "issue", "--requestor", "DEMO", "--server-to-server", "--json")
        #expect(issued.output.contains(#""serverToServer":true"#))
        let pair: Pair = try decoded(issued)
        #expect(try await setUp.run("keys", "list").output.contains("server   DEMO"))
        let rotated = try await setUp.run("keys", "rotate", pair.publicKey, "--json")
        #expect(rotated.output.contains(#""serverToServer":true"#))
        let application = try await setUp.run(
            "keys", "application", "issue", "--name", "Servers", "--requestor", "DEMO", "--server-to-server", "--json")
        #expect(application.output.contains(#""serverToServer":true"#))
        let id = try decoded(application, as: Application.self).softwareID
        _ = try await setUp.run("keys", "application", "revoke", id)
        let applications = try await setUp.store { try await $0.credentials().applications }
        let record = applications.first { $0.softwareID == id }
        #expect(record?.isServerToServer == true && record?.ends != nil)
    }
}
