import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers
import TestSupport
import Testing

@Suite("latchkeyd user", .demo)
struct UserCommandTests {
    private func account(_ name: String, in setUp: TestSetUp) async throws -> Account? {
        let provider = try #require(MVPDID("DemoTV"))
        return try await setUp.store { try await $0.account(name, of: provider) }
    }

    @Test func `adds a viewer, changes the password, and removes the viewer`() async throws {
        let password = try setUp.folder.write("correct horse\nsecond line\n", to: "password")
        try await setUp.run(
            "user", "add", "Anna", "--channel", "Demo One", "--channel", "Demo One", "--channel", "News",
            "--password-file", password
        ).expect(.success)
        let account = try #require(try await self.account("anna", in: setUp))
        #expect(account.lineUp == ["Demo One", "News"])
        #expect(try PasswordHash(account.passwordHash)?.verify(Secret("correct horse")) == true)

        let short = try setUp.folder.write("1234567", to: "short")
        try await setUp.run("user", "passwd", "anna", "--password-file", short).expect(
            .success, talk: "warning: a password of fewer than 8 characters")
        try setUp.folder.write("battery staple", to: "password")
        try await setUp.run("user", "passwd", "anna", "--password-file", password).expect(
            .success, talk: "sign-ins end --viewer anna")
        let answer = try #require(try await self.account("anna", in: setUp))
        #expect(try PasswordHash(answer.passwordHash)?.verify(Secret("battery staple")) == true)
        #expect(answer.lineUp == account.lineUp)

        #expect(try await setUp.run("user", "list").output.contains("DemoTV    anna  Demo One, News"))
        #expect(try await setUp.run("user", "remove", "ANNA").code == .success)
        #expect(try await self.account("anna", in: setUp) == nil)
    }

    @Test func `warns of a channel that resembles one that viewers have, and takes it`() async throws {
        func add(_ channel: String) async throws -> String {
            let run = try await setUp.run("user", "channels", "add", "anna", channel)
            #expect(run.code == .success)
            return run.talk
        }
        let password = try setUp.folder.write("correct horse", to: "password")
        _ = try await setUp.run("user", "add", "anna", "--channel", "North Sport HD", "--password-file", password)
        #expect(try await add("North Spot HD").contains("but some have 'North Sport HD'. Boxes have to ask"))
        for known in ["North Spot HD", "News"] { #expect(try await !add(known).contains("warning")) }
        #expect(try await self.account("anna", in: setUp)?.lineUp == ["North Sport HD", "North Spot HD", "News"])
        let log = try await setUp.run("audit", "--json")
        #expect(log.output.ranges(of: #""action":"user.channels""#).count == 2, "one of the three changed nothing")
        let unquoted = try await setUp.run("user", "channels", "add", "anna", "North", "Spot", "HD")
        #expect(unquoted.talk.contains("A channel with spaces needs quotes around it: 'North Spot HD'."))
        let more = try await setUp.run(
            "user", "add", "ben", "--channel", "North  Sport HD", "--password-file", password)
        #expect(more.talk.contains("'North Sport HD', which differs only in spaces or"), "\(more.talk)")
    }

    /// Keeps a passkey of `demo` in the store of `setUp`.
    private func keepPasskey(_ credential: [UInt8], in setUp: TestSetUp) async throws -> Passkey {
        let account = try #require(try await self.account("demo", in: setUp))
        let now = Timestamp(seconds: 1_767_225_600)
        let passkey = Passkey(
            credential: credential, mvpd: account.mvpd, account: account.id, publicKey: [0xA0], isSyncable: true,
            signCount: 0, created: now)
        let entry = AuditEntry(time: now, actor: "test", action: "passkey.add", subject: "test")
        #expect(try await setUp.store { try await $0.insert(passkey, limit: 10, audit: entry) })
        return passkey
    }

    @Test func `lists the passkeys of a viewer, and removes those that are named, or none`() async throws {
        let (one, other) = (try await self.keepPasskey([1], in: setUp), try await self.keepPasskey([2], in: setUp))
        let list = try await setUp.run("user", "passkeys", "list", "demo").expect(.success)
        for passkey in [one, other] {
            #expect(
                list.output.contains("\(passkey.name)  2026-01-01T00:00:00Z  never      the viewer's devices"),
                "\(list.output)")
        }
        let json = try await setUp.run("user", "passkeys", "list", "demo", "--json")
        #expect(json.output.contains(#""passkey":"\#(one.name)""#))
        let password = try setUp.folder.write("correct horse", to: "password")
        try await setUp.run("user", "passwd", "demo", "--password-file", password).expect(
            .success, talk: "Passkeys that stay valid: 2. 'latchkeyd user passkeys list demo' shows them.\n")
        let wrong = try await setUp.run("user", "passkeys", "remove", "demo", one.name, "ffffffffffff").expect(.failure)
        #expect(wrong.talk.hasPrefix("latchkeyd: The viewer demo of DemoTV has no passkey ffffffffffff."))
        try await setUp.run("user", "passkeys", "remove", "demo", one.name).expect(.success)
        let rest = try await setUp.run("user", "passkeys", "list", "demo")
        #expect(!rest.output.contains(one.name) && rest.output.contains(other.name))
        #expect(try await setUp.run("user", "passkeys", "list", "nobody").code == .failure)
        let audit = try await setUp.run("audit")
        #expect(audit.output.contains("passkey.remove"), "\(audit.output)")
    }

    @Test func `gives everything with --every-channel, and nothing when no channel is named`() async throws {
        let password = try setUp.folder.write("correct horse", to: "password")
        _ = try await setUp.run("user", "add", "all", "--every-channel", "--password-file", password)
        _ = try await setUp.run("user", "add", "none", "--password-file", password)
        let (all, none) = (try await self.account("all", in: setUp), try await self.account("none", in: setUp))
        #expect(all?.lineUp == ["*"])
        #expect(none?.lineUp == [])
    }

    @Test func `keeps what requestors are told of a viewer, and shows it`() async throws {
        let password = try setUp.folder.write("correct horse", to: "password")
        try await setUp.run(
            "user", "add", "anna", "--password-file", password, "--metadata", "householdID=H-1", "--metadata",
            "zip=12345", "--metadata", "zip=67890", "--metadata", "maxRating.VCHIP=TV-14", "--metadata",
            "maxRating.MPAA=PG-13"
        ).expect(.success)
        let expected: [String: MetadataValue] = [
            "householdID": .text("H-1"), "zip": .list(["12345", "67890"]),
            "maxRating": .map([NamedText("VCHIP", "TV-14"), NamedText("MPAA", "PG-13")]),
        ]
        #expect(try await self.account("anna", in: setUp)?.metadata == expected)
        #expect(try await setUp.run("user", "passwd", "anna", "--password-file", password).code == .success)
        #expect(try await self.account("anna", in: setUp)?.metadata == expected)
        let list = try await setUp.run("user", "list")
        #expect(list.output.contains("householdID=H-1, maxRating.VCHIP=TV-14, maxRating.MPAA=PG-13, zip=12345"))
        let json = try await setUp.run("user", "list", "--json")
        #expect(json.output.contains(#""maxRating":{"MPAA":"PG-13","VCHIP":"TV-14"}"#))

        let hash = try await self.account("anna", in: setUp)?.passwordHash
        #expect(try await setUp.run("user", "metadata", "anna", "--metadata", "language=de").code == .success)
        #expect(try await self.account("anna", in: setUp)?.metadata == ["language": .text("de")])
        #expect(try await setUp.run("user", "metadata", "anna").code == .success)
        #expect(try await self.account("anna", in: setUp)?.metadata == [:])
        #expect(try await self.account("anna", in: setUp)?.passwordHash == hash)
    }

    @Test(arguments: [
        (["householdID"], "--metadata takes KEY=VALUE"), (["householdID="], "--metadata takes KEY=VALUE"),
        (["zip=" + String(repeating: "1", count: 246)], "--metadata takes KEY=VALUE"),
        (["userID=x"], "'userID' cannot be set, or is set twice; there are householdID"),
        (["household=x"], "'household' cannot be set"), (["maxRating=x"], "'maxRating' cannot be set"),
        (["maxRating.X=x"], "'maxRating.X' cannot be set"), (["maxRating.MPAA=PG13"], "maxRating.MPAA takes a rating"),
        (["onNet=1", "onNet=0"], "'onNet' cannot be set, or is set twice"),
        (["zip=1", "zip=1"], "'zip' cannot be set, or is set twice"),
    ])
    func `refuses metadata that nobody could read back`(given: [String], sentence: String) async throws {
        let options = given.flatMap { ["--metadata", $0] }
        let run = try await setUp.run(["user", "metadata", "demo"] + options).expect(.usage)
        #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
    }

    @Test(arguments: [
        (["user", "add", "demo"], ExitCode.failure, "There is a viewer demo of DemoTV already."),
        (["user", "add", "x", "--provider", "DemoTW"], .usage, "The configuration has no provider 'DemoTW'"),
        (["user", "add", "x", "--channel", "*"], .usage, "--channel takes a resource"),
        (
            ["user", "add", "x", "--channel", "<x>"], .usage,
            "--channel takes a resource of at most 8192 bytes, or a whole MRSS document where it begins with <"
        ),
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
    func `refuses what makes no viewer`(words: [String], code: ExitCode, sentence: String) async throws {
        let run = try await setUp.run(words).expect(code)
        #expect(run.talk.hasPrefix("latchkeyd: \(sentence)"), "\(run.talk)")
    }
}
