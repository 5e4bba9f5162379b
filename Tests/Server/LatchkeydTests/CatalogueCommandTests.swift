import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import POSIX
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd requestor and provider", .demo, .timeLimit(.minutes(5)))
struct CatalogueCommandTests {
    /// The configuration and the files beside it, by name.
    private func texts(_ setUp: TestSetUp) throws -> [String: String] {
        var texts = ["": try String(contentsOf: URL(filePath: setUp.configurationFile), encoding: .utf8)]
        for dropIn in try ConfigurationFile(path: setUp.configurationFile).texts().dropIns {
            texts[dropIn.name] = String(decoding: dropIn.text, as: UTF8.self)
        }
        return texts
    }

    @Test("add, change and take away brands and providers in files of their own; check-config finds no fault")
    func roundTrip() async throws {
        let before = try self.texts(setUp)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: setUp.configurationFile)
        try await setUp.run(
            "requestor", "add", "NORTHSPORT", "--name", "North Sport", "--provider", "DemoTV", "--domain",
            "north.example"
        ).expect(.success, talk: "SIGHUP")
        try await setUp.run(
            "provider", "add", "CableNova", "--name", "Cable Nova", "--requestor", "NORTHSPORT"
        ).expect(.success)
        try await setUp.run("provider", "add", "cablenova").expect(
            .success, talk: "warning: IDs that differ only in capital letters (CableNova, cablenova).")
        #expect(try await setUp.run("provider", "remove", "cablenova").code == .success)
        try await setUp.run("provider", "add", "Hour", "--kind", "temporaryPass", "--lifetime", "1h").expect(
            .success, talk: "No requestor has it yet: 'latchkeyd requestor edit REQUESTOR --add-provider Hour'")
        #expect(try await setUp.run("check-config").code == .success)
        let list = try await setUp.run("requestor", "list")
        #expect(list.output.contains("NORTHSPORT    North Sport   strict      DemoTV, CableNova"), "\(list.output)")
        let texts = try self.texts(setUp)
        #expect(
            texts["latchkeyd.d/requestors/NORTHSPORT.json5"]?.split(separator: "\n").dropFirst() == [
                "{", #"    id: "NORTHSPORT","#, #"    name: "North Sport","#, #"    domains: ["north.example"],"#,
                #"    integrations: [{ provider: "DemoTV" }, { provider: "CableNova" }],"#, "}",
            ])
        for (path, mode) in [("", "0750"), ("/requestors", "0750"), ("/requestors/NORTHSPORT.json5", "0640")] {
            #expect(PrivateFiles.status(setUp.file("latchkeyd.d\(path)"))?.modeText == mode, "\(path)")
        }
        try await setUp.run(
            "requestor", "edit", "NORTHSPORT", "--name", "North \"Sport\"", "--strictness", "compatible",
            "--add-provider", "Hour", "--remove-provider", "CableNova", "--remove-provider", "DemoTV", "--add-domain",
            "n.example", "--remove-domain", "north.example"
        ).expect(.success)
        let json = try await setUp.run("requestor", "list", "--json")
        #expect(
            json.output.contains(
                #"{"disabledProviders":[],"domains":["n.example"],"id":"NORTHSPORT","name":"North \"Sport\"","#
                    + #""providers":["Hour"],"strictness":"compatible"}"#), "\(json.output)")
        let providers = try await setUp.run("provider", "list")
        #expect(providers.output.contains("Hour         Hour"), "\(providers.output)")

        try await setUp.run("provider", "remove", "Hour").expect(
            .failure, talk: "The provider Hour is that of NORTHSPORT.")
        #expect(try await setUp.run("provider", "remove", "Hour", "--everywhere").code == .success)
        try await setUp.run("keys", "issue", "--requestor", "NORTHSPORT", "--json").expect(.success)
        let lack = "a requestor that the configuration lacks; they are refused (1 key pair, requestor NORTHSPORT)."
        try await setUp.run("requestor", "remove", "NORTHSPORT").expect(.success, talk: lack)
        try await setUp.run("check-config").expect(.success, talk: lack)
        try await setUp.run("provider", "remove", "CableNova").expect(
            .success, talk: "latchkeyd.d/providers/CableNova.json5 was removed.")
        #expect(try self.texts(setUp) == before)

        let log = try await setUp.run("audit", "--json")
        for action in ["requestor.add", "requestor.edit", "requestor.remove", "provider.add", "provider.remove"] {
            #expect(log.output.contains(#""action":"\#(action)""#))
        }
    }

    @Test(arguments: [
        ["--kind", "local"], ["--kind", "temporaryPass", "--lifetime", "10m"],
        [
            "--kind", "oidc", "--issuer", "https://idp.example", "--client-id", "latchkey", "--line-up-claim",
            "channels",
        ],
        [
            "--kind", "saml", "--metadata", "https://idp.example/metadata.xml", "--key", "saml.pem",
            "--line-up-attribute", "channels",
        ],
    ])
    func `add a provider of each kind`(words: [String]) async throws {
        #expect(try await CommandRun.run("provider", "make-key", setUp.file("saml.pem")).code == .success)
        let run = try await setUp.run(["provider", "add", "P"] + words)
        #expect(run.code == .success && !run.talk.contains("Still to do"), "\(run.talk)")
        let isElsewhere = words.contains("oidc") || words.contains("saml")
        #expect(run.talk.contains("/sp/login/P\n") == isElsewhere, "\(run.talk)")
        #expect(run.talk.contains("/sp/logout/P\n") == isElsewhere, "\(run.talk)")
        #expect(try await setUp.run("provider", "list").output.contains("P            P"))
        #expect(try await setUp.run("check-config").code == .success)
    }

    @Test("name the secret file that a new provider needs, and write nothing before it is there and closed")
    func missingSecret() async throws {
        let before = try self.texts(setUp)
        let words = [
            "provider", "add", "P", "--kind", "oidc", "--issuer", "https://idp.example", "--client-id", "latchkey",
            "--client-secret", "p.secret", "--line-up-claim", "channels",
        ]
        let missing = try await setUp.run(words).expect(
            .configuration, talk: "oidc.clientSecret: There is no file of this name.",
            "Nothing was changed. Write the secret to a file such as \(setUp.file("P.secret")), with mode 0600")
        #expect(!missing.talk.contains("p.secret"), "the text may be the secret itself")
        let secret = try setUp.folder.write("hush\n", to: "server/p.secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
        try await setUp.run(words).expect(.configuration, talk: "has mode 0644, open to others")
        try await setUp.run(
            "provider", "add", "Q", "--kind", "saml", "--metadata", "https://idp.example/metadata.xml", "--key",
            "q.pem", "--line-up-attribute", "channels"
        ).expect(.configuration, talk: "'latchkeyd provider make-key \(setUp.file("q.pem"))' makes the file")
        #expect(try self.texts(setUp) == before)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try await setUp.run(words).expect(.success)
    }

    @Test(
        "change nothing where the configuration would have a fault",
        arguments: [
            (["requestor", "add", "DEMO"], ExitCode.failure, "There is a requestor DEMO already."),
            (["requestor", "add", "N"], .usage, "--provider is missing; there are DemoTV, FreePreview, OfMine."),
            (["requestor", "add", "N", "--provider", "DemoTW"], .usage, "Did you mean 'DemoTV'?"),
            (
                ["requestor", "add", "N", "--provider", "DemoTV", "--domain", "no domain"], .configuration,
                "latchkeyd.d/requestors/N.json5: line 5: domains[0] must be"
            ),
            (
                ["requestor", "edit", "DEMO", "--strictness", "lax"], .usage,
                "--strictness takes one of compatible, strict."
            ),
            (["requestor", "edit", "DEMA", "--name", "x"], .failure, "Did you mean 'DEMO'?"),
            (["requestor", "edit", "MINE", "--remove-domain", "x.example"], .failure, "has no 'x.example'"),
            (
                ["requestor", "edit", "DEMO", "--name", "x"], .failure,
                "latchkeyd.json5 itself, which no command changes."
            ),
            (["requestor", "remove", "NONE"], .failure, "The configuration has no requestor NONE."),
            (["provider", "add", "DemoTV"], .failure, "There is a provider DemoTV already."),
            (["provider", "add", "P", "--requestor", "DEMO"], .failure, "latchkeyd.d/requestors/DEMO.json5"),
            (["provider", "add", "P", "--kind", "temporaryPass"], .configuration, "is missing; a trial does not last"),
            (
                ["provider", "add", "P", "--kind", "saml"], .configuration,
                "latchkeyd.d/providers/P.json5: saml.metadataAddress is missing"
            ),
            (
                ["provider", "add", "P", "--kind", "saml"], .configuration,
                "The option --metadata gives saml.metadataAddress."
            ),
            (["provider", "add", "P", "--lifetime", "10m"], .usage, "--lifetime is about --kind temporaryPass."),
            (
                ["provider", "add", "P", "--kind", "ldap"], .usage,
                "--kind takes one of \(ProviderKinds.names.joined(separator: ", "))."
            ),
            (["provider", "add", "P", "--kind", "odic"], .usage, "Did you mean 'oidc'?"),
            (["provider", "add", "OfMine"], .failure, "latchkeyd.d/providers/OfMine.json5, then run "),
            (
                ["requestor", "add", "south sport"], .usage,
                "'south sport' cannot be a requestor ID: 1 to 64 letters, digits, '_' or '-'."
            ),
            (["provider", "add", "süd"], .usage, "cannot be a provider ID: 1 to 64 letters, digits, '_' or '-'."),
            (["provider", "remove", "DemoTV"], .failure, "latchkeyd.json5 itself, which no command changes."),
            (["provider", "remove", "OfMine"], .failure, "is that of MINE."),
        ])
    func refusals(words: [String], code: ExitCode, sentence: String) async throws {
        #expect(try await setUp.run("provider", "add", "OfMine").code == .success)
        #expect(try await setUp.run("requestor", "add", "MINE", "--provider", "OfMine").code == .success)
        let before = try self.texts(setUp)
        try await setUp.run(words).expect(code, talk: sentence)
        #expect(try self.texts(setUp) == before)
    }

    @Test func `lose no change of several at once: each is applied, or told to try again`() async throws {
        try await setUp.run("requestor", "add", "MINE", "--provider", "DemoTV").expect(.success)
        let refused = try await concurrently(4) { number -> String? in
            let domain = "d\(number).example"
            let run = try await setUp.run("requestor", "edit", "MINE", "--add-domain", domain)
            if run.code != .success { run.expect(.failure, talk: "try again") }
            return run.code == .success ? nil : domain
        }.compactMap(\.self)
        let list = try await setUp.run("requestor", "list").output
        #expect(refused.count < 4 && !refused.contains { list.contains($0) }, "\(refused)\(list)")
        #expect((0..<4).allSatisfy { list.contains("d\($0).example") || refused.contains("d\($0).example") })
    }

    @Test func `read such files in the order of their names, and name the file and the line of a fault`() async throws {
        let folder = "server/latchkeyd.d/requestors"
        for name in ["providers", "requestors", "requestor"] {
            try FileManager.default.createDirectory(
                atPath: setUp.file("latchkeyd.d/\(name)"), withIntermediateDirectories: true)
        }
        try setUp.folder.write(#"{ id: "B", name: "Second" }"#, to: "\(folder)/20-b.json5")
        try setUp.folder.write("\u{FEFF}// Ours.\n{ id: \"A\", name: \"First\" }", to: "\(folder)/10-a.json5")
        for ignored in [".#10-a.json5", "20-b.json5~", "30-c.json"] {
            try setUp.folder.write("{", to: "\(folder)/\(ignored)")
        }
        let read = try ConfigurationFile(path: setUp.configurationFile).read()
        #expect(read.catalogue.requestors.map(\.id.text) == ["DEMO", "DEMO-CLASSIC", "A", "B"])
        let unread = ConfigurationWarning.all(in: read).map(\.sentence).filter { $0.contains("is not read") }
        #expect(
            unread.map { $0.split(separator: " ").last } == [
                "\(setUp.file("latchkeyd.d/requestor")))", "\(setUp.file("latchkeyd.d/requestors/30-c.json")))",
            ])

        try setUp.folder.write("{\n  id: \"A\",\n  nam: 1,\n  nam: 2,\n}", to: "\(folder)/10-a.json5")
        try setUp.folder.write("{\n  id: \"B\" name: 1\n}", to: "\(folder)/20-b.json5")
        let broken = try await setUp.run("check-config").expect(.configuration)
        let place = setUp.file("latchkeyd.d/requestors")
        #expect(broken.output.hasPrefix("\(place)/20-b.json5: line 2: the configuration cannot be read: expected ','"))
        try setUp.folder.write(#"{ id: "B", name: "Second" }"#, to: "\(folder)/20-b.json5")
        let faults = try await setUp.run("check-config").output.split(separator: "\n")
        #expect(faults.count == 3, "\(faults)")
        for fault in [
            "\(place)/10-a.json5: line 4: nam is given twice.", "\(place)/10-a.json5: name is missing; ",
            "\(place)/10-a.json5: line 3: nam is not a setting; perhaps name is meant.",
        ] { #expect(faults.contains { $0.hasPrefix(fault) }, "\(fault) in \(faults)") }

        try setUp.folder.write("{}", to: "server/latchkeyd.d/mine.json5")
        let stray = try await setUp.run("check-config")
        #expect(stray.output.contains("mine.json5 is in neither of the folders providers and requestors."))
    }

    @Test func `give a key pair and a set-up code a label, which the list shows`() async throws {
        try await setUp.run("keys", "issue", "--requestor", "DEMO", "--for", "Kodi add-on, living room").expect(
            .success, output: "for          Kodi add-on, living room\n")
        #expect(try await setUp.run("keys", "list").output.contains("  Kodi add-on, living room\n"))
        #expect(try await setUp.run("keys", "list", "--json").output.contains(#""label":"Kodi add-on, living room""#))
        try await setUp.run("keys", "issue", "--requestor", "DEMO", "--for", "two\nlines").expect(.usage)
        try await setUp.run("keys", "issue", "--requestor", "DEMO", "--setup-code", "--for", "Attic").expect(.success)
    }
}
