import RealPrograms
import TestSupport
import Testing

@Suite("The operator's console, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct ConsolePagesTests {
    @Test("Is read at two sizes, light and dark, has no fault that axe finds, and cancels a code without a script")
    func pages() async throws {
        let port = try FreePort.find()
        let url = "http://127.0.0.1:\(port)"
        let listen: JSON = ["listen": .list([.text("127.0.0.1:\(port)")]), "alwaysSignIn": false]
        try await PairingScene.play("console", on: .desktop, configuring: { $0["console"] = listen }) { scene in
            for look in [BrowserWindow.Look.desktop, .phone] {
                for scheme in [BrowserWindow.Look.Scheme.light, .dark] {
                    try await scene.window.show(as: look.with(scheme))
                    for (path, name) in [
                        ("/", "overview"), ("/boxes", "boxes"), ("/audit", "audit"), ("/sign-in", "sign-in"),
                    ] {
                        try await scene.window.open(url + path)
                        try await scene.inspection.look(at: "\(name)-\(look.width)-\(scheme)")
                        try await scene.checkWithAxe("\(name), \(look.width), \(scheme)")
                    }
                }
            }
            try await scene.window.stopScripts()
            try await scene.window.open(url + "/")
            let shown = try await scene.window.text(of: "main")
            #expect(shown.contains("\(scene.code.text.prefix(3))-…") && !shown.contains(scene.code.text))
            try await scene.window.clickForNextPage("form[action='/codes/cancel'] button")
            #expect(try await scene.window.text(of: "main").contains("The code is cancelled"))
            #expect(try await scene.window.text(of: "main").contains("No code is open."))
            #expect(await scene.box.end() != .exited(0))
        }
    }

    @Test func `Shows the way of a box that signed in, and signs it out`() async throws {
        let port = try FreePort.find()
        let url = "http://127.0.0.1:\(port)"
        let listen: JSON = ["listen": .list([.text("127.0.0.1:\(port)")]), "alwaysSignIn": false]
        try await PairingScene.play("console-boxes", on: .phone, configuring: { $0["console"] = listen }) { scene in
            try await scene.walkToQuestion()
            try await scene.confirm()
            try await scene.window.open(url + "/")
            try await scene.inspection.look(at: "signed-in")
            // The last hour is that of the server asked, and of several another one may have signed the box in.
            let signedIn = try await scene.window.text(of: ".funnel li:last-child strong")
            #expect(signedIn == "1" || RunningService.hasNodes && signedIn == "0")
            try await scene.window.open(url + "/boxes")
            try await scene.inspection.look(at: "list")
            // By the keyboard alone: to the box, and to why it may not play something.
            _ = try await scene.window.evaluate("document.querySelector('.rows h3 a').focus()")
            try await scene.window.pressEnterForNextPage()
            try await scene.window.type(DemoFolder.deniedChannel, into: "#channel")
            try await scene.window.pressEnterForNextPage()
            #expect(try await scene.window.text(of: "main").contains("It may not play."))
            for look in [BrowserWindow.Look.desktop, .phone] {
                for scheme in [BrowserWindow.Look.Scheme.light, .dark] {
                    try await scene.window.show(as: look.with(scheme))
                    try await scene.inspection.look(at: "box-\(look.width)-\(scheme)")
                    try await scene.checkWithAxe("box, \(look.width), \(scheme)")
                    try await scene.window.clickForNextPage("a[href^='/box/revoke']")
                    #expect(try await scene.window.text(of: "main").contains("There is no way back"))
                    try await scene.inspection.look(at: "revoke-\(look.width)-\(scheme)")
                    try await scene.checkWithAxe("revoke, \(look.width), \(scheme)")
                    try await scene.window.clickForNextPage(".choice a")
                }
            }
            // By the keyboard alone, too.
            _ = try await scene.window.evaluate("document.querySelector(\"a[href^='/box/revoke']\").focus()")
            try await scene.window.pressEnterForNextPage()
            _ = try await scene.window.evaluate("document.querySelector('.choice button').focus()")
            try await scene.window.pressEnterForNextPage()
            #expect(try await scene.window.text(of: "main").contains(", revoked"))
            try await scene.window.clickForNextPage("form[action='/boxes/sign-out'] button")
            #expect(try await scene.window.text(of: "main").contains("The sign-ins of the box ended."))
        }
    }
}
