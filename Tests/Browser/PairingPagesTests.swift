import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The pages of the second screen, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct PairingPagesTests {
    @Test(
        arguments: [
            .desktop, .desktop.with(.dark), .phone, .phone.with(.dark), .smallestPhone, .smallestPhone.with(.dark),
            .desktop.withoutJavaScript, .phone.withoutJavaScript,
        ] as [BrowserWindow.Look])
    func `A box is paired from the address on its QR code`(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play("pairing", on: look) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.inspection.look(at: "2-provider")
            let proposed = try await scene.window.text(of: "main .code-word")
            #expect(proposed.filter { $0 != "-" } == scene.code.text, "the QR code brings the code along")
            try await scene.pickProvider()
            try await scene.inspection.look(at: "3-sign-in")
            try await scene.signIn()
            try await scene.inspection.look(at: "4-confirm")
            let question = try await scene.window.text(of: "main")
            #expect(question.filter { $0 != "-" }.contains(scene.code.text), "the page shows the code of the box")
            try await scene.decide(.confirm)
            try await scene.inspection.look(at: "5-done")
            #expect(
                try await scene.window.elements("main form:not(.aside), [role=alert]").isEmpty,
                "there is nothing left to do")
            try await scene.box.end(with: 0)
        }
    }

    @Test func `The keyboard alone is enough, and shows where it is`() async throws {
        try await PairingScene.play("keyboard", on: .desktop) { scene in
            try await scene.window.open("\(scene.server.url)/activate")
            try await scene.tab(to: "#code")
            try await scene.window.press(scene.code.text.lowercased())
            try await scene.window.pressEnterForNextPage()
            try await scene.tab(to: "button[name=mvpd]")
            try await scene.window.pressEnterForNextPage()
            try await scene.tab(to: "#account")
            try await scene.window.press(scene.viewer.account)
            try await scene.tab(to: "#password")
            try await scene.window.press(scene.viewer.password)
            try await scene.window.pressEnterForNextPage()
            // Both answers can be reached, and neither is pressed by an Enter too many.
            #expect(try await scene.hasFocus("button") == false)
            try await scene.tab(to: "button[value=decline], button[value=confirm]")
            try await scene.tab(to: "button[value=confirm]")
            try await scene.window.pressEnterForNextPage()
            try await scene.inspection.look(at: "done")
            try await scene.box.end(with: 0)
        }
    }

    @Test("Whoever declines is told so, and so is the box", arguments: [.desktop, .phone] as [BrowserWindow.Look])
    func declining(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play("declining", on: look) { scene in
            try await scene.walkToQuestion()
            try await scene.decide(.decline)
            try await scene.inspection.look(at: "declined")
            try await scene.box.end(with: 4)
        }
    }

    @Test func `Whoever did not ask for anything can decline before signing in`() async throws {
        try await PairingScene.play("declining-early", on: .phone) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.window.clickForNextPage("form[action='/activate/decline'] button")
            try await scene.inspection.look(at: "declined")
            try await scene.box.end(with: 4)
        }
    }

    @Test("Confirm and Decline have the same weight", arguments: [.desktop, .smallestPhone] as [BrowserWindow.Look])
    func weight(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play("weight", on: look) { scene in
            try await scene.walkToQuestion()
            let sizes = try await scene.window.evaluate(
                """
                return [...document.querySelectorAll("button[name=decision]")].map((button) => {
                    const box = button.getBoundingClientRect(), style = getComputedStyle(button);
                    return [Math.round(box.width), Math.round(box.height), style.fontSize, style.fontWeight].join(" ");
                });
                """
            ).list
            #expect(sizes.count == 2)
            #expect(Set(sizes).count == 1)
        }
    }

    @Test func `A wrong code is said to be wrong, and the right one still works`() async throws {
        try await PairingScene.play("wrong-code", on: .phone) { scene in
            try await scene.window.open("\(scene.server.url)/activate")
            // No issued code has vowels.
            try await scene.enterCode("AEI OUAE")
            try await scene.inspection.look(at: "wrong-code", isRefusal: true)
            #expect(try await scene.window.elements("[role=alert]").count == 1)
            #expect(try await scene.hasFocus("#code"), "the field is ready for another try")
            let code = scene.code.text.lowercased()
            try await scene.enterCode(" \(code.prefix(2)) - \(code.dropFirst(2))")
            #expect(try await scene.window.elements("button[name=mvpd]").isEmpty == false)
        }
    }

    @Test("A wrong password is said to be wrong, is not shown again, and the right one still works")
    func wrongPassword() async throws {
        try await PairingScene.play("wrong-password", on: .phone.with(.dark)) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.pickProvider()
            try await scene.signIn(password: "not the password")
            try await scene.inspection.look(at: "wrong-password", isRefusal: true)
            #expect(try await scene.window.elements("[role=alert]").count == 1)
            let field = try await scene.window.element("#password")
            #expect(try await scene.window.property("value", of: field).text == "")
            try await scene.signIn()
            try await scene.confirm()
        }
    }

    @Test func `The way back after an answer leads nowhere else: what was declined stays declined`() async throws {
        try await PairingScene.play("back", on: .phone) { scene in
            try await scene.walkToQuestion()
            try await scene.decide(.decline)
            try await scene.box.end(with: 4)
            try await scene.window.back()
            if try await scene.window.elements("button[value=confirm]").isEmpty == false {
                try await scene.decide(.confirm)
            }
            try await scene.inspection.look(at: "after", isRefusal: true)
            let poll = "/api/v1/checkauthn/\(scene.code.text)?requestor=\(DemoFolder.strictRequestor)"
            #expect(try await scene.server.get(poll).status == 403)
        }
    }

    @Test(arguments: [.desktop, .smallestPhone.with(.dark)] as [BrowserWindow.Look])
    func `A form that somebody tampered with leads to a page that says so`(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play("tampered", on: look) { scene in
            try await scene.window.open(scene.code.url)
            _ = try await scene.window.evaluate("document.querySelector('[name=form_token]').value = 'made-up'")
            try await scene.pickProvider()
            try await scene.inspection.look(at: "problem", isRefusal: true)
            #expect(try await scene.window.elements("[role=alert]").count == 1)
        }
    }

    @Test("The front page and the code's page look right without a code, too", arguments: ["/", "/activate"])
    func otherPages(_ path: String) async throws {
        for look in [BrowserWindow.Look.desktop, .smallestPhone.with(.dark)] {
            try await PairingScene.play("other", on: look) { scene in
                try await scene.window.open(scene.server.url + path)
                try await scene.inspection.look(at: path == "/" ? "front" : "code")
            }
        }
    }
}

extension PairingScene {
    fileprivate func tab(to selector: String) async throws {
        for _ in 0..<20 {
            if try await self.hasFocus(selector) {
                let outline = try await self.window.evaluate(
                    "return getComputedStyle(document.activeElement).outlineStyle")
                #expect(outline.text != "none", "\(selector) does not show that it has the keyboard")
                return
            }
            try await self.window.press(Key.tab)
        }
        Issue.record("twenty times Tab do not lead to \(selector)")
    }

    fileprivate func hasFocus(_ selector: String) async throws -> Bool {
        try await self.window.evaluate("return document.activeElement.matches(`\(selector)`)").bool ?? false
    }
}
