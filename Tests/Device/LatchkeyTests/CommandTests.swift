import FoundationEssentials
import Glibc
import POSIX
import TestSupport
import Testing

@testable import latchkey

@Suite("latchkey", .box, .timeLimit(.minutes(5)))
struct CommandTests {
    @Test func `status says who is signed in, and nobody with an exit code of its own`() async throws {
        let nobody = try await box.run("status")
        #expect(nobody.end == .exited(2) && nobody.output.hasPrefix("Nobody is signed in.\n") && nobody.talk.isEmpty)
        try await box.signIn(service)
        let somebody = try await box.run("status")
        #expect(somebody.end == .exited(0) && somebody.output.hasPrefix("Signed in with Cable Nova, for "))
        let event = try Event(try await box.run("status", "--json").output)
        #expect(event.event == "status" && event.state == "signed_in" && event.mvpdName == "Cable Nova")
    }

    @Test(arguments: [(30 * 86_400 - 60, "30 days"), (86_400 - 60, "24 hours"), (89, "1 minute")])
    func `says how long a sign-in lives, rounded`(seconds: Int64, words: String) {
        let expires = WallClock.milliseconds() + seconds * 1000
        #expect(BoxEvent.SignIn(mvpd: "CableNova", expires: expires).lifetime == words)
    }

    @Test(.signedIn) func `authorize prints the token alone on stdout`() async throws {
        let (end, output, talk) = try await box.run("authorize", "North Sport HD")
        // Base64 of the document, which begins with <signatureInfo>.
        #expect(end == .exited(0) && output.hasPrefix("PHNpZ25hdHVyZUluZm8+") && talk.isEmpty)
        #expect(output.split(separator: "\n").count == 1)
        #expect(service.last("/adobe-services/authorize")?.form["resource_id"] == "North Sport HD")
        #expect(try Event(try await box.run("authorize", "r", "--json").output).token?.hasPrefix("PHNp") == true)
    }

    @Test func `authorize tells a refusal in the provider's words from nobody being signed in`() async throws {
        let nobody = try await box.run("authorize", "r")
        #expect(nobody.end == .exited(2) && nobody.output.isEmpty && nobody.talk.contains("latchkey pair"))
        try await box.signIn(service)
        service.set { $0.permitted = [] }
        let refused = try await box.run("authorize", "r")
        #expect(refused.end == .exited(3) && refused.output.isEmpty)
        #expect(refused.talk == "latchkey: Your package lacks this channel.\n")
    }

    @Test(.signedIn) func `logout signs out`() async throws {
        let (end, output, talk) = try await box.run("logout")
        #expect(end == .exited(0) && output.isEmpty && talk == "Signed out.\n")
        #expect(try await box.run("status").end == .exited(2))
    }

    @Test(.signedIn) func `logout signs out without a network, too`() async throws {
        let gone = "http://127.0.0.1:1"
        let settings = try box.folder.read("latchkey.json5")
        try box.folder.write(settings.replacing(service.url, with: gone), to: "latchkey.json5")
        let (end, _, talk) = try await box.run("logout")
        #expect(end == .exited(0) && talk == "Signed out.\n")
        try box.folder.write(settings, to: "latchkey.json5")
        #expect(try await box.run("status", "--offline").end == .exited(2))
    }

    @Test func `logout speaks the viewer's language, on a small screen in rows of whole words`() async throws {
        let page = "https://idp.example/logout?SAMLRequest=" + String(repeating: "a", count: 60)
        let (service, box) = try Latchkey.served { $0.logoutURL = page }
        try await box.signIn(service)
        let (end, _, talk) = try await box.run("logout", "--language", "de")
        #expect(
            end == .exited(0) && talk.hasPrefix("Abgemeldet.\n") && talk.hasSuffix("öffnen Sie darin:\n  \(page)\n"))
        #expect(parted(talk, columns: nil) == talk)
        let rows = parted(talk, columns: 40).split(separator: "\n")
        #expect(rows.count > 4 && rows.allSatisfy { $0.count <= 40 || $0 == page })
        #expect(rows.joined(separator: " ") == talk.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        #expect(parted("ログアウトしました。", columns: 12) == "ログアウトし\nました。")
        #expect(parted("  indented", columns: 10) == "  indented")
    }

    @Test(.unserved) func `tells every fault of its configuration at once, each with its place`() async throws {
        let path = try box.folder.write(
            """
            {server: "ftp://x", requestor: "NORTH SPORT", keyPair: {publicKey: "k", secret: 1}, softwareStatement: 7,
             pollInterval: 0, deviceName: "", activationURL: "activate", pollIntervall: 5}
            """, to: "latchkey.json5")
        let (end, output, talk) = try await box.run("status")
        #expect(end == .exited(78) && output.isEmpty)
        for fault in [
            "line 1: server must be an http or https address", "line 1: requestor must be 1 to 64",
            "keyPair.privateKey is missing", "line 1: keyPair.secret is not a setting",
            "line 1: softwareStatement must be text of 1 to 16384 characters on one line.",
            "line 2: pollInterval must be a number from 1 to 60, not 0", "line 2: deviceName must be text of",
            "line 2: activationURL must be", "line 2: pollIntervall is not a setting; perhaps pollInterval is meant",
        ] {
            #expect(talk.contains("\(path): \(fault)"), "\(fault)")
        }
        #expect(talk.split(separator: "\n").count == 10)
    }

    @Test func `says what is missing, and lets options take its place`() async throws {
        try box.folder.write("{softwareStatement: 'a.b.c'}", to: "latchkey.json5")
        let without = try await box.run("status")
        #expect(without.end == .exited(78))
        #expect(without.talk.contains("server is missing") && without.talk.contains("requestor is missing"))
        let with = try await box.run("status", "--server", service.url + "/", "--requestor=NORTHSPORT")
        #expect(with.end == .exited(2))
        #expect(try await box.run("status", "--server", "nonsense").talk.contains("--server must be"))
        let group = "{SOUTHSPORT: {softwareStatement: 'a.b.c'}, NORTHSPORT: {softwareStatement: 'a.b.c'}}"
        try box.folder.write("{server: '\(service.url)', requestors: \(group)}", to: "latchkey.json5")
        #expect(try await box.run("doctor").output.contains("/requestors/NORTHSPORT.json can be written"))
    }

    @Test(.unserved) func `says so when its configuration is no JSON5, or not there`() async throws {
        try box.folder.write("{server: ", to: "latchkey.json5")
        let broken = try await box.run("status")
        #expect(broken.end == .exited(78) && broken.talk.contains("line 1: the configuration has a '{' here"))
        try FileManager.default.removeItem(atPath: box.folder.file("latchkey.json5"))
        let absent = try await box.run("status")
        #expect(absent.end == .exited(78) && absent.talk.contains("cannot be read"))
    }

    @Test("says where its configuration is no JSON5, which name was perhaps meant, and what to do without one")
    func helpfulFaults() async throws {
        let box = try Latchkey("http://127.0.0.1:1")
        let path = try box.folder.write("{\n  server: 'http://127.0.0.1:1'\n  requestor: 'R',\n}", to: "latchkey.json5")
        #expect(
            try await box.run("status").talk.contains(
                "\(path): line 3: the configuration cannot be read: expected ',' or '}', found a word or a number."))
        try box.folder.write(
            "{/* ä\n\n */ requestr: 'R', server: 'http://127.0.0.1:1', server: 1}", to: "latchkey.json5")
        let talk = try await box.run("status").talk
        #expect(talk.contains("\(path): line 3: requestr is not a setting; perhaps requestor is meant."))
        #expect(talk.contains("\(path): line 3: server is given twice."))
        try FileManager.default.removeItem(atPath: path)
        let absent = try await box.run("status")
        #expect(absent.talk.contains("There is no configuration: \(path)") && absent.talk.contains("latchkey init"))
    }

    @Test("tells a configuration and a state file that may not be read from ones that are not there", .signedIn)
    func withoutPermission() async throws {
        // Another user, who may look into the folder and not into the files.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: box.folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: box.folder.file("latchkey"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: box.folder.file("latchkey.json5"))
        let own = ["--config", box.folder.file("latchkey.json5"), "--json"]
        for words in [["status"], ["status", "--offline"], ["authorize", "r"], ["logout"]] {
            let (end, output, talk) = try await ChildProcess(
                "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Latchkey.program] + words + own,
                environment: ["XDG_STATE_HOME": box.folder.path]
            ).run()
            guard talk.isEmpty || !talk.contains("setpriv") else { return }
            #expect(end == .exited(74) && talk == "", "\(words): \(output)\(talk)")
            #expect(output.contains(#""code":"state""#) && output.contains(box.statePath), "\(words): \(output)")
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: box.folder.file("latchkey.json5"))
        let closed = try await ChildProcess(
            "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Latchkey.program, "status"] + own,
            environment: ["XDG_STATE_HOME": box.folder.path]
        ).run()
        #expect(closed.end == .exited(78) && closed.output.contains("permission denied"), "\(closed)")
    }

    @Test func `ends with an exit code of its own when its state cannot be kept`() async throws {
        let (end, _, talk) = try await box.run("pair", "--state", "/proc/latchkey/state.json")
        #expect(end == .exited(74) && talk.contains("/proc/latchkey"))
    }

    @Test func `never takes a state file that cannot be read for nobody being signed in`() async throws {
        try FileManager.default.createDirectory(atPath: box.statePath, withIntermediateDirectories: true)
        for command in [["status"], ["authorize", "r"], ["logout"]] {
            let (end, output, talk) = try await box.run(command)
            #expect(end == .exited(74) && output.isEmpty && talk.contains(box.statePath), "\(command): \(talk)")
        }
    }

    @Test("speaks http beyond the box only when it is told to, by an option or in its configuration")
    func insecure() async throws {
        let box = try Latchkey("http://0.0.0.0:1")
        let refused = try await box.run("status")
        #expect(refused.end == .exited(78) && refused.talk.contains("--insecure"))
        #expect(try await box.run("status", "--insecure").end == .exited(69))
        let settings = try box.folder.read("latchkey.json5")
        try box.folder.write(settings.replacing("scope:", with: "insecure: true, scope:"), to: "latchkey.json5")
        #expect(try await box.run("status").end == .exited(69))
        try box.folder.write(settings.replacing("scope:", with: "insecure: 1, scope:"), to: "latchkey.json5")
        #expect(try await box.run("status").talk.contains("insecure must be true or false"))
    }

    @Test("refuses a configuration with a private key that other users can read, and one that is too large", .unserved)
    func openConfiguration() async throws {
        let path = try box.folder.write(
            "{server: 'http://127.0.0.1:1', requestor: 'R', keyPair: {publicKey: 'k', privateKey: 's'}}",
            to: "latchkey.json5")
        for mode in [0o644, 0o640, 0o604] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let refused = try await box.run("status")
            #expect(refused.end == .exited(78) && refused.talk.contains("keyPair.privateKey must not be readable"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try await box.run("status").end == .exited(69))
        try box.folder.write(String(repeating: " ", count: 257 << 10), to: "latchkey.json5")
        #expect(try await box.run("status").talk.contains("larger than 256 KiB"))
    }

    @Test(
        "takes a private key from a configuration of root's that another group may only read, as the packages leave it",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func configurationOfAPackage() async throws {
        let box = try Latchkey("http://127.0.0.1:1")
        let path = try box.folder.write(
            "{server: 'http://127.0.0.1:1', requestor: 'R', keyPair: {publicKey: 'k', privateKey: 's'}}",
            to: "latchkey.json5")
        for (mode, code) in [(0o640, 69), (0o660, 78), (0o644, 78)] as [(Int, Int32)] {
            try FileManager.default.setAttributes(
                [.groupOwnerAccountID: 4321, .posixPermissions: mode], ofItemAtPath: path)
            #expect(try await box.run("status").end == .exited(code))
        }
    }

    @Test(.unserved) func `explains itself`() async throws {
        let help = try await box.run("pair", "--help")
        #expect(help.end == .exited(0) && help.output.contains("  4    declined on the second screen"))
        #expect(help.output.contains("secondsLeft"))
        let slip = try await ChildProcess(Latchkey.program, ["piar"]).run()
        #expect(slip.end == .exited(64) && slip.talk.contains("Did you mean 'pair'?"))
    }
}
