import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers
import StoreSQLite
import TestSupport
import Testing
import latchkeyd

@Suite("latchkeyd user")
struct UserCommandTests {
    private func account(_ name: String, in setUp: TestSetUp) async throws -> Account? {
        let provider = try #require(MVPDID("DemoTV"))
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        let account = try await store.account(name, of: provider)
        await store.close()
        return account
    }

    @Test("adds a viewer, changes the password, and removes the viewer")
    func roundTrip() async throws {
        let setUp = try await TestSetUp.demo()
        let password = try setUp.folder.write("correct horse\nsecond line\n", to: "password")
        let added = try await setUp.run(
            "user", "add", "Anna", "--channel", "Demo One", "--channel", "Demo One", "--channel", "News",
            "--password-file", password)
        #expect(added.code == .success, "\(added.talk)")
        let account = try #require(try await self.account("anna", in: setUp))
        #expect(account.lineUp == ["Demo One", "News"])
        #expect(try PasswordHash(account.passwordHash)?.verify(Secret("correct horse")) == true)

        try setUp.folder.write("battery staple", to: "password")
        #expect(try await setUp.run("user", "passwd", "anna", "--password-file", password).code == .success)
        let changed = try #require(try await self.account("anna", in: setUp))
        #expect(try PasswordHash(changed.passwordHash)?.verify(Secret("battery staple")) == true)
        #expect(changed.lineUp == account.lineUp)

        let list = try await setUp.run("user", "list")
        #expect(list.output.contains("DemoTV    anna  Demo One, News"))
        #expect(try await setUp.run("user", "remove", "ANNA").code == .success)
        #expect(try await self.account("anna", in: setUp) == nil)
    }

    @Test("gives everything with --every-channel, and nothing when no channel is named")
    func lineUps() async throws {
        let setUp = try await TestSetUp.demo()
        let password = try setUp.folder.write("correct horse", to: "password")
        _ = try await setUp.run("user", "add", "all", "--every-channel", "--password-file", password)
        _ = try await setUp.run("user", "add", "none", "--password-file", password)
        let (all, none) = (try await self.account("all", in: setUp), try await self.account("none", in: setUp))
        #expect(all?.lineUp == ["*"])
        #expect(none?.lineUp == [])
    }

    @Test(
        "refuses what makes no viewer",
        arguments: [
            (["user", "add", "demo"], ExitCode.failure, "There is a viewer demo of DemoTV already."),
            (["user", "add", "x", "--provider", "DemoTW"], .usage, "The configuration has no provider 'DemoTW'"),
            (["user", "add", "x", "--channel", "*"], .usage, "--channel takes a resource"),
            (
                ["user", "add", "x", "--channel", "A", "--every-channel"], .usage,
                "--channel and --every-channel do not"
            ),
            (["user", "add", "x", "--password", "secret"], .usage, "There is no option '--password'."),
            (["user", "passwd", "nobody"], .failure, "There is no viewer nobody of DemoTV."),
            (["user", "remove", "nobody"], .failure, "There is no viewer nobody of DemoTV."),
            (
                ["user", "add", "x", "--password-file", "/nonexistent"], .stateProblem,
                "The file /nonexistent cannot be read"
            ),
            (["user", "add", "x", "--password-file", "/dev/null"], .invalidData, "A password has 1 to 128 bytes"),
            (["user", "add", "x y"], .usage, "A name has 1 to 64 bytes, no spaces"),
        ])
    func refusals(words: [String], code: ExitCode, sentence: String) async throws {
        let setUp = try await TestSetUp.demo()
        let run = try await CommandRun.run(words + ["--config", setUp.configurationFile])
        #expect(run.code == code)
        #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
    }
}
