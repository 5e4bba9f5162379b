import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("latchkey pair", .box, .timeLimit(.minutes(5)))
struct PairTests {
    @Test func `shows address and grouped code on stderr, and ends with the provider's name and 0`() async throws {
        let process = try box.start("pair")
        let talk = process.talkLines
        let shown = await talk.read(until: "-")
        #expect(shown.contains { $0.contains("https://tve.example.net/activate") })
        #expect(!shown.joined().contains("\u{1B}"))
        service.confirm()
        #expect(await talk.read(until: "Signed in").last == "Signed in with Cable Nova.")
        #expect(await process.waitForEnd() == .exited(0))
        #expect(await process.outputLines.reduce(into: "") { $0 += $1 } == "")
    }

    @Test(
        "speaks the language of --language, of the configuration, or of the locale, in this order",
        arguments: [
            (["--language", "de-AT"], "fr", "it_IT.UTF-8", "Angemeldet mit Cable Nova."),
            ([], "fr", "it_IT.UTF-8", "Connexion établie avec Cable Nova."),
            ([], nil, "it_IT.UTF-8", "Accesso effettuato con Cable Nova."),
            ([], nil, "it_IT", "Signed in with Cable Nova."),
        ] as [([String], String?, String, String)])
    func languages(options: [String], setting: String?, locale: String, words: String) async throws {
        if let setting {
            let file = try box.folder.read("latchkey.json5")
            try box.folder.write(
                file.replacing("deviceName:", with: "language: \"\(setting)\", deviceName:"), to: "latchkey.json5")
        }
        let process = try box.start(["pair"] + options, environment: ["LC_ALL": locale])
        let talk = process.talkLines
        let shown = await talk.read(until: "-")
        #expect(shown.contains { $0.contains("https://tve.example.net/activate") })
        service.confirm()
        #expect(await talk.read(until: "Cable Nova").last == words)
        #expect(await process.waitForEnd() == .exited(0))
    }

    @Test("tells programs everything in English, and knows the languages that there are", .unserved)
    func languageOfPrograms() async throws {
        let result = try await box.run(
            ["pair", "--json", "--no-wait", "--language", "de"], environment: ["LC_ALL": "de_DE.UTF-8"])
        #expect(result.output.contains("cannot be reached") && !result.output.contains("erreichbar"))
        let german = try await box.run(["pair", "--no-wait", "--language", "de"])
        #expect(german.end == .exited(69) && german.talk.contains("ist nicht erreichbar"))
        let unknown = try await box.run(["pair", "--language", "tlh"])
        #expect(unknown.end == .exited(64) && unknown.talk.contains("--language takes one of en, de, fr,"))
        let file = try box.folder.read("latchkey.json5")
        try box.folder.write(file.replacing("deviceName:", with: "language: 'tlh', deviceName:"), to: "latchkey.json5")
        let setting = try await box.run(["pair"])
        #expect(setting.end == .exited(78) && setting.talk.contains("language must be one of en, de, fr,"))
    }

    @Test func `killed in the middle of its wait, shows the same code again, and is answered`() async throws {
        let first = try box.start("pair", "--json")
        let output = first.outputLines
        let code = try await output.event()
        await service.isPolled()
        first.send(SIGKILL)
        #expect(await first.waitForEnd() == .signalled(SIGKILL))

        // By the server's clock, which the box hears of later, an hour is left.
        service.set { ($0.date, $0.tokenExpires) = ("Tue, 02 Oct 2096 06:06:40 GMT", "2097/05/18 03:33:19 GMT +0000") }
        let second = try box.start("pair", "--json")
        let resumed = second.outputLines
        let all = [code, try await resumed.event(), try await resumed.event()]
        #expect(all.map(\.resumed) == [false, true, true] && all.allSatisfy { $0.code == code.code })
        service.confirm()
        var end = try await resumed.event()
        // Once more on a machine that took its time.
        while end.event == "code_issued" { end = try await resumed.event() }
        #expect(end.event == "approved" && end.mvpdName == "Cable Nova" && end.already == false)
        #expect(await second.waitForEnd() == .exited(0))
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func `stopped by a signal, says that the code stays valid`(signal: Int32, exitCode: Int32) async throws {
        let process = try box.start("pair")
        let talk = process.talkLines
        _ = await talk.read(until: "-")
        process.send(signal)
        #expect(await talk.read(until: "Stopped").last?.contains("stays valid") == true)
        #expect(await process.waitForEnd() == .exited(exitCode))
        #expect(try box.folder.read("latchkey/state.json").contains(#""code":{"#))
    }

    @Test(
        "tells declined, withdrawn and expired apart, with exit codes of their own",
        arguments: [
            ("declined", Int32(4), "declined on the other screen"), ("cancelled", Int32(4), "withdrawn"),
            ("expired", Int32(5), "ran out"),
        ])
    func endings(state: String, exitCode: Int32, words: String) async throws {
        service.setCodeState(state)
        let (end, output, talk) = try await box.run("pair")
        #expect(end == .exited(exitCode) && output.isEmpty && talk.contains(words))
    }

    @Test func `tells failures apart: no server, refused credentials, a busy server, a broken one`() async throws {
        let nobody = try await Latchkey("http://127.0.0.1:1").run("pair", "--no-wait")
        #expect(nobody.end == .exited(69) && nobody.talk.contains("cannot be reached"))
        #expect(try await Latchkey("https://tv.invalid").run("pair", "--no-wait").talk.contains("cannot be resolved"))
        for (answer, exitCode, words): (ScriptedServer.Answer, Int32, String) in [
            (.response(400, body: #"{"error":"unapproved_software_statement"}"#), 77, "unapproved_software_statement"),
            (.response(503), 69, "fault (503)"),
            (.response(429, headers: ["Retry-After": "8"]), 69, "in 8 seconds"),
            (.response(200, body: "<html>"), 69, "does not answer as expected"),
        ] {
            service.answer("/o/client/register", with: answer)
            let (end, _, talk) = try await box.run("pair", "--no-wait")
            #expect(end == .exited(exitCode) && talk.contains(words), "\(talk)")
        }
    }

    @Test("says so when somebody is signed in, and shows a code all the same with --again", .signedIn)
    func again() async throws {
        let (end, output, talk) = try await box.run("pair")
        #expect(end == .exited(0) && output.isEmpty && talk.contains("signed in with Cable Nova already"))
        service.setCodeState("declined")
        #expect(try await box.run("pair", "--again").end == .exited(4))
    }

    @Test func `speaks in events, one a line, and keeps stderr quiet, with --json`() async throws {
        let process = try box.start("pair", "--json")
        let output = process.outputLines
        let code = try await output.event()
        #expect(code.version == 1 && code.event == "code_issued")
        #expect(code.url == "https://tve.example.net/activate?code=\(code.code ?? "")")
        await service.isPolled()
        service.setCodeState("waiting", reason: "Wrong%20%22password%22%1B[2J%C2%9B31m%7F")
        let refusal = try #require(await output.next())
        #expect(try Event(refusal).message == "Wrong \"password\"\u{1B}[2J\u{9B}31m\u{7F}")
        #expect(!Self.steers(refusal))
        service.setCodeState("declined")
        #expect(try await output.event().event == "declined")
        #expect(await output.next() == nil)
        #expect(await process.talkLines.reduce(into: "") { $0 += $1 } == "")
        #expect(await process.waitForEnd() == .exited(4))
    }

    @Test("shows a new code when one ran out that no viewer entered, and asks about one code at a time")
    func renewal() async throws {
        // Over as soon as it is there, and so is the next: that server is not asked for a third.
        let (service, box) = try Latchkey.served { $0.codeExpires = 1_000_000_000_000 }
        let (end, output, talk) = try await box.run("pair", "--json")
        #expect(end == .exited(5) && talk.isEmpty)
        let events = try output.split(separator: "\n").map { try Event(String($0)) }
        #expect(events.map(\.event) == ["code_issued", "code_issued", "expired"])
        #expect(Set(events.compactMap(\.code)).count == 2)
        let polled = service.requests.filter { $0.path.hasSuffix("/session") }.compactMap { $0.form["reg_code"] }
        #expect(polled == events.compactMap(\.code))

        let (once, _, words) = try await box.run("pair", "--once")
        #expect(once == .exited(5) && words.contains("ran out before anybody signed in"))
    }

    @Test(
        "asks about its code in one process alone; a second shows the same code, hears how it ended, or goes on with it",
        arguments: [false, true])
    func onePoller(isKilled: Bool) async throws {
        let first = try box.start("pair", "--json")
        let output = first.outputLines
        let code = try await output.event()
        await service.isPolled()
        let second = try box.start("pair", "--json")
        let other = second.outputLines
        let shown = try await other.event()
        #expect(shown.event == "code_issued" && shown.code == code.code && shown.resumed == true)
        if isKilled {
            first.send(SIGKILL)
            _ = await first.waitForEnd()
            await service.isPolled()
        }
        service.confirm()
        if !isKilled {
            #expect(try await output.event().event == "approved")
            #expect(await first.waitForEnd() == .exited(0))
        }
        let approved = try await other.event()
        #expect(approved.event == "approved" && approved.mvpdName == "Cable Nova")
        #expect(await second.waitForEnd() == .exited(0))
        #expect(isKilled || service.calls.count { $0.hasSuffix("/session") } == 1)
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
    }

    @Test func `shows no new code when a viewer came too late for the old one`() async throws {
        let service = try ScriptedService { $0.codeExpires = 1_000_000_000_000 }
        service.watch("/adobe-services/session") { _ in service.open() }
        let (end, _, talk) = try await Latchkey(service.url).run("pair")
        #expect(end == .exited(5) && talk.contains("ran out before the sign-in was finished"))
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
    }

    @Test("says in one line each, and in ASCII, what happens where lines go by")
    func lines() async throws {
        let process = try box.start("pair")
        let talk = process.talkLines
        await service.isPolled()
        service.open()
        var shown = await talk.read(until: "entering")
        for (state, words) in [("loggingIn", "signing in"), ("confirming", "confirm this TV")] {
            await service.isPolled()
            service.setCodeState(state)
            shown += await talk.read(until: words)
        }
        await service.isPolled()
        service.confirm()
        shown += await talk.read(until: "Signed in with")
        #expect(await process.waitForEnd() == .exited(0))
        #expect(
            Array(shown.dropFirst()) == [
                "Somebody is entering the code now.", "Somebody is signing in.",
                "Signed in there; please confirm this TV on the other screen.", "Signed in with Cable Nova.",
            ])
        #expect(shown[0].hasPrefix("Open https://tve.example.net/activate and enter the code "))
        #expect(shown.joined().utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func `draws a QR code where lines go by when its form is named, and takes no unknown form`() async throws {
        let service = try ScriptedService { $0.shortOrigin = "HTTPS://TVE.EXAMPLE.NET" }
        service.setCodeState("declined")
        let box = try Latchkey(service.url)
        for (form, isFar) in [("half", false), ("full", false), ("half-plain", false), ("ascii", true)] {
            let (end, _, talk) = try await box.run("pair", "--qr-format", form)
            #expect(end == .exited(4))
            let lines = talk.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            let screen = try CellScreen(lines, ownForeground: 255, ownBackground: 0)
            #expect(try await Scanner.read(screen.picture(margin: 2, isFar: isFar)).hasPrefix("HTTPS://TVE"))
        }
        let unknown = try await box.run("pair", "--qr-format", "braille")
        #expect(unknown.end == .exited(64) && unknown.talk.contains("--qr-format takes one of auto, half, "))
    }

    @Test("keeps a picture of the QR code in a file while the code is on show, and has one in its event")
    func pictures() async throws {
        let (service, box) = try Latchkey.served { $0.shortOrigin = "HTTPS://TVE.EXAMPLE.NET" }
        let path = box.folder.file("code.png")
        let process = try box.start("pair", "--json", "--qr-png", path)
        let output = process.outputLines
        let code = try await output.event()
        let short = "HTTPS://TVE.EXAMPLE.NET/G/\(code.code ?? "")"
        #expect(code.shortUrl == short)
        #expect(code.url == "https://tve.example.net/activate?code=\(code.code ?? "")")
        let encoded = code.qr?.split(separator: ",").last.map { String($0) } ?? ""
        #expect(code.qr?.hasPrefix("data:image/png;base64,") == true)
        #expect(try await Scanner.read(Array(Data(base64Encoded: encoded) ?? Data()), as: "code.png") == short)
        await service.isPolled()
        #expect(try await Scanner.read(file: path) == short)
        service.setCodeState("declined")
        #expect(await process.waitForEnd() == .exited(4))
        #expect(!FileManager.default.fileExists(atPath: path), "a dead code leads nowhere")
    }

    @Test(arguments: [
        "https://tve.example.net", "HTTPS://TVE.EXAMPLE.NET/\u{E9}", "JAVASCRIPT:X", "HTTPS://TVE EXAMPLE",
    ])
    func `shows no short address that is not one`(_ origin: String) async throws {
        let service = try ScriptedService { $0.shortOrigin = origin }
        service.setCodeState("declined")
        let (_, output, _) = try await Latchkey(service.url).run("pair", "--json")
        let code = try Event(String(output.prefix { $0 != "\n" }))
        #expect(code.event == "code_issued" && code.shortUrl == nil && code.qr != nil)
    }

    @Test func `keeps a damaged state file aside, tells where, and begins anew`() async throws {
        service.setCodeState("declined")
        try box.folder.write("{\"version\":1,", to: "latchkey/state.json")
        let (end, _, talk) = try await box.run("pair")
        #expect(end == .exited(4))
        #expect(talk.contains("\(box.statePath).corrupt-1, and this box begins anew"))
        #expect(try box.folder.read("latchkey/state.json.corrupt-1") == "{\"version\":1,")
    }

    @Test func `cannot be steered by what a server says`() async throws {
        service.answer(
            "/reggie/",
            with: .response(400, body: #"{"status":400,"message":"bad\u001b[2J\u001b]0;x\u0007 requestor"}"#))
        let (end, _, talk) = try await box.run("pair")
        #expect(end == .exited(1) && talk.contains("bad [2J ]0;x requestor"))
        #expect(!talk.contains("\u{1B}"))
    }

    /// What no terminal may be sent: C0 but the line's end, DEL and C1, all of which a terminal obeys, and the marks
    /// that reorder text.
    private static func steers(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            ($0.properties.generalCategory == .control && $0 != "\n") || $0.properties.isBidiControl
        }
    }

    @Test func `cannot be steered by what a provider says, or is called`() async throws {
        let name = #"Ca\u001b]0;owned\u0007ble\u009b31m\u202e Nova\r\nSigned in with Bank."#
        service.set { $0.providers = [ScriptedProvider("CableNova", name: name)] }
        let process = try box.start("pair")
        let talk = process.talkLines
        var shown = await talk.read(until: "-")
        await service.isPolled()
        service.setCodeState("waiting", reason: "No%1B%5B2J%1B%5D8%3B%3Bhttp%3A%2F%2Fx%07%C2%9B31m%0D%0Alatchkey%3A ok")
        shown += await talk.read(until: "The provider refused")
        #expect(shown.last == "The provider refused: No [2J ]8;;http://x 31m latchkey: ok The code can be used again.")
        service.confirm()
        shown += await talk.read(until: "Signed in")
        #expect(shown.last == "Signed in with Ca ]0;owned ble 31m Nova Signed in with Bank..")
        #expect(!shown.contains(where: Self.steers), "\(shown)")
        #expect(await process.waitForEnd() == .exited(0))
    }

    @Test(arguments: [
        #"javascript:alert(1)"#, #"https://tve.example.net/\u001b[2J"#, #"https://tve.example.net/a b"#,
        #"https://tve.example.net/\u202egro.elpmaxe"#, #"file:///etc/passwd"#,
    ])
    func `shows no address that is not a plain one of the web`(_ address: String) async throws {
        let service = try ScriptedService { $0.registrationURL = address }
        service.setCodeState("declined")
        let (end, _, talk) = try await Latchkey(service.url).run("pair")
        #expect(end == .exited(4) && talk.contains("Enter this code on the provider's page"))
        #expect(!Self.steers(talk) && !talk.contains("tve.example.net"))
    }

    @Test("takes a time no calendar has for a fault of the server", arguments: [Int64.max, .min, -1])
    func impossibleTime(expires: Int64) async throws {
        let service = try ScriptedService { $0.codeExpires = expires }
        let (end, output, _) = try await Latchkey(service.url).run("pair", "--json")
        #expect(end == .exited(69) && output.contains("malformed_answer"), "\(output)")
        #expect(service.calls.contains { $0.hasSuffix("/regcode") })
    }

    @Test("survives a state file with impossible times", arguments: [Int64.max, .min])
    func impossibleState(expires: Int64) async throws {
        service.setCodeState("declined")
        let text = """
            {"version":1,"servers":{"\(service.url)":{
            "token":{"text":"t","renewAt":\(expires)},
            "signIn":{"requestor":"NORTHSPORT","mvpd":"M","expires":\(expires)},
            "code":{"code":"7KQ4M2X","requestor":"NORTHSPORT","expires":\(expires),"loginURL":null}}}}
            """
        try box.folder.write(text, to: "latchkey/state.json")
        for mode in ["--json", "--again"] { #expect(try await box.run("pair", mode).end == .exited(4)) }
    }
}
