import Clientless
import CommandLineTool
import FoundationEssentials
import TestSupport
import Testing

@testable import latchkeyd

@Suite("latchkeyd check-config", .demo)
struct CheckConfigTests {
    @Test func `lists the faults on standard output, with the file, and ends with 78`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("{\n server: { publicURL: 'x' },\n log: 3 }", to: "c.json5")
        let run = try await CommandRun.run("check-config", file).expect(.configuration)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("\(file): line ") })
        #expect(run.talk == "2 faults.\n")
    }

    @Test func `names a file that is not read beside the fault that something is missing`() async throws {
        try setUp.folder.write("{ id: \"FreeP\", name: \"P\" }", to: "server/latchkeyd.d/providers/FreeP.conf")
        try setUp.folder.write(
            "{ id: \"X\", name: \"X\", integrations: [{ provider: \"FreeP\" }] }",
            to: "server/latchkeyd.d/requestors/X.json5")
        try await setUp.run("check-config").expect(
            .configuration, output: "which none of the providers has as its ID",
            talk: "is not read because of its name", "FreeP.conf")
    }

    @Test func `has nothing to warn of in the demo`() async throws {
        let run = try await CommandRun.run("check-config", setUp.configurationFile)
        #expect(run.code == .success && run.talk == "\(setUp.configurationFile): no faults.\n", "\(run.talk)")
    }

    @Test func `warns of a store that others may read`() async throws {
        let store = setUp.file("latchkeyd.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        try await CommandRun.run("check-config", setUp.configurationFile).expect(
            .success, talk: "warning: others could read the store", "chmod 0600 closes it to them (file \(store)).")
    }

    @Test func `looks at key files too: one that others may read is a fault`() async throws {
        let key = setUp.file("keys/token-signing-1.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        try FileManager.default.removeItem(atPath: setUp.file("keys/access-token-1.pem"))
        let run = try await CommandRun.run("check-config", setUp.configurationFile).expect(.configuration)
        #expect(
            run.output == """
                \(setUp.configurationFile): keys.folder: The key folder \(setUp.file("keys")) has no access-token-1.pem.
                \(setUp.configurationFile): keys.folder: The key file \(key) has mode 0644, open to others; it must be 0600 \
                (chmod 0600).

                """)
    }

    @Test func `looks into key files: one that holds no key is a fault, as it is to the server`() async throws {
        let key = setUp.file("keys/token-signing-1.pem")
        try Data("no key\n".utf8).write(to: URL(filePath: key))
        let run = try await CommandRun.run("check-config", setUp.configurationFile).expect(.configuration)
        #expect(run.output.hasPrefix("\(setUp.configurationFile): keys.folder: "), "\(run.output)")
        #expect(run.output.contains(key), "\(run.output)")
    }

    @Test func `holds the keys against the store: those of another set-up are a fault`() async throws {
        let (setUp, other) = (try await TestSetUp.demo(), try await TestSetUp.newDemo())
        #expect(try await CommandRun.run("check-config", setUp.configurationFile).code == .success)
        for name in ["master-secret", "sealing-1.key"] {
            let key = try Data(contentsOf: URL(filePath: other.file("keys/\(name)")))
            try key.write(to: URL(filePath: setUp.file("keys/\(name)")))
        }
        let run = try await CommandRun.run("check-config", setUp.configurationFile).expect(.configuration)
        #expect(
            run.output == """
                \(setUp.configurationFile): keys.folder: The keys in \(setUp.file("keys")) are those of another set-up: they \
                open nothing that the store has sealed.

                """)
        try FileManager.default.removeItem(atPath: setUp.file("keys/sealing-1.key"))
        try await CommandRun.run("check-config", setUp.configurationFile).expect(
            .configuration, output: "The key folder \(setUp.file("keys")) has no sealing-1.key.")
        let passphrase = setUp.folder.file("passphrase")
        try setUp.folder.writeSecret("long enough a passphrase\n", to: "passphrase")
        for words in [
            ["keys", "issue", "--requestor", "DEMO"], ["keys", "rotate-seal", "--key-only"],
            ["backup", setUp.folder.file("backup"), "--passphrase-file", passphrase],
        ] { try await setUp.run(words).expect(.keysUnusable, talk: "has no sealing-1.key.") }
        #expect(try KeyFolder(setUp.file("keys")).sealingNumbers().isEmpty)
    }

    @Test("warns where PostgreSQL cannot be asked whether the keys are its own, and finds no fault in it")
    func storeAway() async throws {

        // Nothing listens at port 1.
        let away = "kind: \"postgres\", connection: \"host=127.0.0.1 port=1 dbname=latchkey\""
        try setUp.replace("// file: \"latchkeyd.sqlite\"", with: away)
        let run = try await CommandRun.run("check-config", setUp.configurationFile)
        #expect(run.code == .success && run.output == "", "\(run.output)")
        #expect(run.talk.contains("warning: the keys are not held against the store: "), "\(run.talk)")

        let passfile = try setUp.folder.write("*:*:*:*:secret\n", to: "server/pgpass")
        let named = away.replacing("dbname=latchkey", with: "dbname=latchkey passfile='\(passfile)'")
        try setUp.replace(away, with: named)
        for (mode, faults) in [(0o640, 1), (0o600, 0)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: passfile)
            let output = try await CommandRun.run("check-config", setUp.configurationFile).output
            #expect(output.split(separator: "\n").count == faults, "\(output)")
            #expect(output.contains("store.connection: The passfile \(passfile) has mode 0640") == (faults == 1))
        }
        try FileManager.default.removeItem(atPath: passfile)
        let output = try await CommandRun.run("check-config", setUp.configurationFile).output
        #expect(output.contains("store.connection: The passfile \(passfile) is missing"), "\(output)")
    }

    @Test(arguments: ["localhost", "127.0.0.1", "[::1]"])
    func `warns of plain http where a network is between, and not on one machine`(host: String) throws {
        func warnings(_ host: String) throws -> [String] {
            let text = smallConfiguration.replacing("https://tv.example", with: "http://\(host):8080")
            return ConfigurationWarning.all(in: try configuration(text)).map(\.sentence)
        }
        #expect(try warnings(host) == [])
        #expect(try warnings("tv.example") == ["the public URL is not https, so passwords can be read on the way"])
    }

    @Test func `looks at the certificate: whose key it is, for which name, and how long it lasts`() async throws {
        for name in ["one", "two"] {
            let arguments = [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tv.example", "-keyout",
                setUp.file("\(name).key"), "-out", setUp.file("\(name).pem"),
            ]
            let (end, _, talk) = try await ChildProcess("openssl", arguments).run()
            #expect(end == .exited(0), "\(talk)")
        }
        let demo = try setUp.folder.read("server/latchkeyd.json5")
        func check(_ address: String, key: String, _ further: String = "") async throws -> CommandRun {
            let text = demo.replacing(/publicURL: "[^"]*",/) { _ in
                "\(further)publicURL: \"\(address)\", certificate: \"one.pem\", certificateKey: \"\(key).key\","
            }
            try setUp.folder.write(text, to: "server/tls.json5")
            return try await CommandRun.run("check-config", setUp.file("tls.json5"))
        }
        let good = try await check("https://tv.example", key: "one").expect(
            .success, talk: "the certificate ends before long; a reload takes a renewed one (")
        #expect(!good.talk.contains("is not for the name"))
        let elsewhere = try await check("https://other.example", key: "one").expect(
            .configuration, output: "browsers refuse it. A reload refuses it and keeps the old one; a start goes")
        #expect(!elsewhere.talk.contains("is not for the name"), "said once: \(elsewhere.talk)")
        try await check("https://other.example", key: "one", #"trustedProxies: ["127.0.0.1"], "#).expect(
            .success, talk: "is not for the name in the public URL")
        let clear = "publicURL must be an address of https, since certificate is set and no trusted proxy."
        try await check("http://tv.example", key: "one").expect(.configuration, output: clear)
        try await check("http://tv.example", key: "one", #"trustedProxies: ["127.0.0.1"], "#).expect(.success)
        let mixed = try await check("https://tv.example", key: "two").expect(.configuration)
        #expect(
            mixed.output
                == "\(setUp.file("tls.json5")): server.certificate: The file \(setUp.file("one.pem")) and "
                + "its key \(setUp.file("two.key")) cannot be used: "
                + "one of the two is damaged, or they do not belong together.\n")
        let chain = try setUp.folder.read("server/one.pem")
        try setUp.folder.write(try setUp.folder.read("server/two.pem") + chain, to: "server/one.pem")
        #expect(
            try await check("https://tv.example", key: "one").output.contains("the certificates are in the wrong order")
        )
        try setUp.folder.write(chain, to: "server/one.pem")
        _ = try await check("https://tv.example", key: "two")
        func said(at seconds: Int64) throws -> [String] {
            let read = try ConfigurationFile(path: setUp.file("tls.json5")).read()
            return ConfigurationWarning.certificate(
                try ServeCommand.tls(read), in: read, now: Timestamp(seconds: seconds)
            ).map(\.sentence)
        }
        #expect(try said(at: 4_000_000_000).isEmpty, "a pair of no use is a fault")
        _ = try await check("https://tv.example", key: "one")
        let sentences = try said(at: 4_000_000_000)
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.hasPrefix("the certificate has ended, so nothing trusts it (") })
        let early = try said(at: 1_577_836_800)
        #expect(
            early.count == 1
                && early[0].hasPrefix("the certificate is not valid yet, or this machine's clock is wrong ("))
        let issued = """
            openssl req -new -key one.key -subj /CN=leaf.example -out one.csr
            openssl x509 -req -in one.csr -CA two.pem -CAkey two.key -days 2 -out one.pem
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=foreign -keyout foreign.key -out foreign.pem
            """
        let (end, _, talk) = try await ChildProcess("sh", ["-c", "cd '\(setUp.path)' && { \(issued); }"]).run()
        #expect(end == .exited(0), "\(talk)")
        let leaf = try setUp.folder.read("server/one.pem")
        for further in ["", try setUp.folder.read("server/foreign.pem")] {
            try setUp.folder.write(leaf + further, to: "server/one.pem")
            let alone = try await check("https://tv.example", key: "one")
            alone.expect(.configuration, talk: "the one of its issuer; unless that is a root, clients need it")
        }
        try setUp.folder.write(leaf + (try setUp.folder.read("server/two.pem")), to: "server/one.pem")
        #expect(try await check("https://tv.example", key: "one").talk.contains("its issuer") == false)
    }

    @Test func `says where it looked when there is no configuration`() async throws {
        let run = try await CommandRun.run("check-config", "/nonexistent/latchkeyd.json5").expect(.configuration)
        #expect(
            run.output == "/nonexistent/latchkeyd.json5: The file /nonexistent/latchkeyd.json5 cannot be read: "
                + "there is no such file or folder.\n"
                + "Make one with 'latchkeyd init', or put back a backup with 'latchkeyd restore'.\n")
    }

    @Test("warns of what is allowed and should not surprise, each requestor by name, and finds no fault in it")
    func warnings() throws {
        let text = """
            {
                server: { publicURL: "http://tv.example" }, calls: { allowAnyRedirect: true },
                providers: [{ id: "CableNova", name: "Cable Nova" }, { id: "Cable2", name: "cable nova" }],
                requestors: [
                    { id: "OPEN", name: "Open", strictness: "compatible", confirmsForeignLogins: false, hidesDeviceID: false,
                      integrations: [{ provider: "CableNova" }, { provider: "Cable2" }] },
                    { id: "SAFE", name: "Safe", strictness: "compatible",
                      integrations: [{ provider: "CableNova" }] },
                    { id: "STRICT", name: "Strict", integrations: [{ provider: "CableNova", enabled: false }] },
                ],
            }
            """
        let sentences = ConfigurationWarning.all(in: try configuration(text)).map(\.sentence)
        #expect(
            sentences == [
                "the public URL is not https, so passwords can be read on the way",
                "boxes and phones go to a port where this server does not listen: correct server.publicURL or "
                    + "server.listen, or name the proxy in server.trustedProxies (port 80 of http://tv.example, listening on "
                    + "127.0.0.1:8080)",
                "logins of programmers' pages may return to any address",
                "a compatible requestor shows device IDs to pages; hidesDeviceID keeps them from guessers (requestor OPEN)",
                "a compatible requestor skips the confirmation of the box; without confirmsForeignLogins false it would not "
                    + "(requestor OPEN)",
                "a requestor has no provider that is enabled, so its viewers cannot sign in (requestor STRICT)",
                "a requestor has providers of one name, which viewers cannot tell apart (CableNova, Cable2, requestor OPEN)",
            ])
        let open = #"{ server: { publicURL: "https://tv.example", LISTEN PROXIES }, PARTS }"#
        let parts =
            #"providers: [{ id: "A", name: "A" }], requestors: [{ id: "B", name: "B", integrations: [{ provider: "A" }] }]"#
        func said(proxies: String, listen: String = #"listen: ["*:8080"],"#) throws -> [String] {
            let text = open.replacing("PROXIES", with: proxies).replacing("PARTS", with: parts)
                .replacing("LISTEN", with: listen)
            return ConfigurationWarning.all(in: try configuration(text)).map(\.sentence)
        }
        #expect(try said(proxies: #"trustedProxies: ["10.0.0.1"]"#) == [])
        #expect(
            try said(proxies: "") == [
                "plain http is listened for beyond this machine, with no certificate and no trusted proxy: give server.certificate, or name the proxy in server.trustedProxies"
            ])
        #expect(try said(proxies: #"trustedProxies: ["127.0.0.1"]"#, listen: "") == [])
        #expect(
            try said(proxies: "", listen: "") == [
                "the public URL is https, with no certificate and no trusted proxy, so all callers seem to be one: give server.certificate, or name the proxy in server.trustedProxies"
            ])
        let empty = try configuration(
            #"{ server: { publicURL: "https://tv.example", trustedProxies: ["127.0.0.1"] } }"#)
        #expect(
            ConfigurationWarning.all(in: empty).map(\.sentence) == ["no requestor is configured, so no box can pair"])
    }
}
