import CommandLineTool
import FoundationEssentials
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd requestor and provider", .timeLimit(.minutes(5)))
struct CatalogueCommandTests {
    private func text(_ setUp: TestSetUp) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: setUp.configurationFile)), as: UTF8.self)
    }

    private func comments(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("//") }
    }

    @Test("add, change and take away brands and providers; every comment stays, and check-config finds no fault")
    func roundTrip() async throws {
        let setUp = try await TestSetUp.demo()
        let before = try self.text(setUp)
        let provider = try await setUp.run(
            "provider", "add", "CableNova", "--name", "Cable Nova", "--requestor", "DEMO")
        #expect(provider.code == .success, "\(provider.talk)")
        let preview = try await setUp.run("provider", "add", "Hour", "--kind", "temporaryPass", "--lifetime", "1h")
        #expect(preview.code == .success, "\(preview.talk)")
        #expect(preview.talk.contains("No brand has it yet: 'latchkeyd requestor edit REQUESTOR --add-provider Hour'"))
        let added = try await setUp.run(
            "requestor", "add", "NORTHSPORT", "--name", "North Sport", "--provider", "CableNova", "--domain",
            "north.example")
        #expect(added.code == .success, "\(added.talk)")
        #expect(added.talk.contains("SIGHUP"))
        #expect(try await setUp.run("check-config").code == .success)
        let list = try await setUp.run("requestor", "list")
        #expect(list.output.contains("NORTHSPORT    North Sport   strict      CableNova"), "\(list.output)")
        let edited = try await setUp.run(
            "requestor", "edit", "NORTHSPORT", "--name", "North \"Sport\"", "--strictness", "compatible",
            "--add-provider", "Hour", "--remove-provider", "CableNova", "--add-domain", "n.example", "--remove-domain",
            "north.example")
        #expect(edited.code == .success, "\(edited.talk)")
        let json = try await setUp.run("requestor", "list", "--json")
        #expect(
            json.output.contains(
                #"{"disabledProviders":[],"domains":["n.example"],"id":"NORTHSPORT","name":"North \"Sport\"","#
                    + #""providers":["Hour"],"strictness":"compatible"}"#), "\(json.output)")
        let providers = try await setUp.run("provider", "list")
        #expect(providers.output.contains("Hour         Hour"), "\(providers.output)")
        #expect(self.comments(try self.text(setUp)) == self.comments(before))

        #expect(try await setUp.run("requestor", "remove", "NORTHSPORT").code == .success)
        #expect(try await setUp.run("provider", "remove", "Hour").code == .success)
        let refused = try await setUp.run("provider", "remove", "CableNova")
        #expect(refused.code == .failure)
        #expect(refused.talk.contains("The provider CableNova is that of DEMO."))
        #expect(try await setUp.run("provider", "remove", "CableNova", "--everywhere").code == .success)
        #expect(try self.text(setUp) == before)

        let log = try await setUp.run("audit", "--json")
        for action in ["requestor.add", "requestor.edit", "requestor.remove", "provider.add", "provider.remove"] {
            #expect(log.output.contains(#""action":"\#(action)""#))
        }
    }

    @Test(
        "change nothing where the configuration would have a fault",
        arguments: [
            (["requestor", "add", "DEMO"], ExitCode.failure, "There is a requestor DEMO already."),
            (["requestor", "add", "N"], .usage, "--provider is missing; there are DemoTV, FreePreview."),
            (["requestor", "add", "N", "--provider", "DemoTW"], .usage, "Did you mean 'DemoTV'?"),
            (["requestor", "add", "N", "--provider", "DemoTV", "--domain", "no domain"], .configuration, "domains"),
            (["requestor", "edit", "DEMO", "--strictness", "lax"], .usage, "--strictness takes strict or compatible."),
            (["requestor", "edit", "DEMA", "--name", "x"], .failure, "Did you mean 'DEMO'?"),
            (["requestor", "edit", "DEMO", "--remove-domain", "x.example"], .failure, "has no 'x.example'"),
            (["requestor", "remove", "NONE"], .failure, "The configuration has no requestor NONE."),
            (["provider", "add", "DemoTV"], .failure, "There is a provider DemoTV already."),
            (["provider", "add", "P", "--kind", "temporaryPass"], .configuration, "is missing; a trial does not last"),
            (["provider", "add", "P", "--lifetime", "10m"], .usage, "--lifetime is about --kind temporaryPass."),
            (["provider", "add", "P", "--kind", "ldap"], .usage, "--kind takes one of local, temporaryPass, oidc."),
            (["provider", "remove", "DemoTV"], .failure, "is that of DEMO, DEMO-CLASSIC."),
        ])
    func refusals(words: [String], code: ExitCode, sentence: String) async throws {
        let setUp = try await TestSetUp.demo()
        let before = try self.text(setUp)
        let run = try await CommandRun.run(words + ["--config", setUp.configurationFile])
        #expect(run.code == code, "\(run.talk)")
        #expect(run.talk.contains(sentence), "\(run.talk)")
        #expect(try self.text(setUp) == before)
    }

    @Test("leave the file's owner and permissions as they are, and follow a link to it")
    func access() async throws {
        let setUp = try await TestSetUp.demo()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: setUp.configurationFile)
        let link = setUp.folder.file("link.json5")
        try manager.createSymbolicLink(atPath: link, withDestinationPath: setUp.configurationFile)
        // What is relative in the file is then looked for beside the link, and said to be missing.
        let run = try await CommandRun.run(["provider", "add", "CableNova", "--config", link])
        #expect(run.code == .success, "\(run.talk)")
        #expect(try manager.destinationOfSymbolicLink(atPath: link) == setUp.configurationFile)
        #expect(try self.text(setUp).contains("CableNova"))
        let mode = try manager.attributesOfItem(atPath: setUp.configurationFile)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test("give a key pair and a set-up code a label, which the list shows")
    func labels() async throws {
        let setUp = try await TestSetUp.demo()
        let issued = try await setUp.run("keys", "issue", "--requestor", "DEMO", "--for", "Kodi add-on, living room")
        #expect(issued.code == .success, "\(issued.talk)")
        #expect(issued.output.contains("for          Kodi add-on, living room\n"))
        #expect(try await setUp.run("keys", "list").output.contains("  Kodi add-on, living room\n"))
        #expect(try await setUp.run("keys", "list", "--json").output.contains(#""label":"Kodi add-on, living room""#))
        let wrong = try await setUp.run("keys", "issue", "--requestor", "DEMO", "--for", "two\nlines")
        #expect(wrong.code == .usage)
        let code = try await setUp.run("keys", "issue", "--requestor", "DEMO", "--setup-code", "--for", "Attic")
        #expect(code.code == .success, "\(code.talk)")
    }
}
