import RealPrograms
import TestSupport
import Testing

@Suite("Hurdles on the way, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct HurdleTests {
    @Test("Of two browsers with one code, the one that confirms first has it, and the other is told that it is used")
    func race() async throws {
        try await PairingScene.play("race", on: .phone) { scene in
            try await scene.withSecondBrowser { other in
                for window in [scene.window, other] {
                    try await window.open(scene.code.url)
                    try await window.pickProvider()
                    try await window.signIn(scene.viewer.account, scene.viewer.password)
                    #expect(try await window.elements("button[name=decision]").count == 2)
                }
                try await other.decide(.confirm)
                try await scene.box.end(with: 0)
                try await scene.decide(.confirm)
                try await scene.inspection.look(at: "late", isRefusal: true)
                #expect(try await scene.window.elements("[role=alert]").count == 1)
                #expect(try await scene.window.elements("[data-answer], .answer").isEmpty, "nothing is promised")
                // What the late one does cannot take it away from the first.
                #expect(try await other.text(of: "h1") == "Done. Look at your TV")
            }
        }
    }

    @Test("Reloading any page changes nothing, and the way goes on from there", arguments: [true, false])
    func reload(hasJavaScript: Bool) async throws {
        let look = hasJavaScript ? BrowserWindow.Look.phone : .phone.withoutJavaScript
        try await PairingScene.play("reload", on: look) { scene in
            func reload() async throws {
                let (url, heading) = (try await scene.window.url, try await scene.window.text(of: "h1"))
                try await scene.window.reload()
                #expect(try await scene.window.url == url)
                #expect(try await scene.window.text(of: "h1") == heading)
            }
            try await scene.window.open(scene.code.url)
            try await reload()
            try await reload()
            try await scene.pickProvider()
            try await reload()
            try await scene.signIn()
            try await reload()
            try await scene.confirm()
            try await reload()
            try await scene.inspection.look(at: "done")
        }
    }

    @Test func `A code that ends while the viewer is typing says so, with one way on`() async throws {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"))
        try await PairingScene.play("expired", on: .phone, clock: clock) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.pickProvider()
            try await scene.window.type(scene.viewer.account, into: "#account")
            // No code of the demo lives for a day.
            try clock.set(aheadBy: 24 * 3_600_000)
            try await scene.window.type(scene.viewer.password, into: "#password")
            try await scene.window.clickForNextPage("main form button[type=submit]")
            try await scene.inspection.look(at: "over", isRefusal: true)
            #expect(try await scene.window.elements("[role=alert]").count == 1)
            #expect(try await scene.window.elements("main .button").count == 1)
            try await scene.window.clickForNextPage("main .button")
            #expect(try await scene.window.elements("#code").count == 1)
            await scene.box.kill()
        }
    }

    @Test func `A phone that is offline for a moment goes on where it was`() async throws {
        try await PairingScene.play("offline", on: .phone) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.pickProvider()
            let page = try await scene.window.url
            try await scene.window.connect(over: .cut)
            try await scene.window.type(scene.viewer.account, into: "#account")
            try await scene.window.type(scene.viewer.password, into: "#password")
            try await scene.window.clickForNextPage("main form button[type=submit]")
            #expect(try await scene.window.elements("#account").isEmpty, "the browser's own page")
            try await scene.window.connect(over: BrowserWindow.Line())
            try await scene.window.open(page)
            try await scene.signIn()
            try await scene.confirm()
        }
    }

    @Test("Nothing moves for a viewer who asked for that, and every control is seen in forced colours")
    func preferences() async throws {
        try await PairingScene.play("preferences", on: .phone) { scene in
            try await scene.visitEveryPage { page in
                try await scene.window.emulate(["prefers-reduced-motion": "reduce", "forced-colors": "active"])
                #expect(try await scene.window.evaluate(Self.script).list.compactMap(\.text).isEmpty, "\(page)")
            }
        }
    }

    /// A list of sentences, one for each fault. Forced colours take backgrounds away: what is pressed or filled in shows
    /// by its border then.
    private static let script = """
        const faults = [];
        for (const element of document.querySelectorAll("body *")) {
            const style = getComputedStyle(element);
            const times = [style.transitionDuration, style.animationDuration].join(",").split(",").map(parseFloat);
            if (style.animationName !== "none" || times[0] > 0)
                faults.push(`<${element.localName}> “${element.textContent.trim().slice(0, 40)}” moves`);
        }
        if (!matchMedia("(forced-colors: active)").matches) faults.push("the colours are not forced");
        // The browser draws a box to tick by itself.
        const fields = "main .button, main .provider, main input:not([type=hidden], [type=checkbox])";
        for (const element of document.querySelectorAll(fields)) {
            const style = getComputedStyle(element);
            if (element.getBoundingClientRect().width === 0) continue;
            const hasBorder = parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none";
            if (!hasBorder || style.borderTopColor === style.backgroundColor)
                faults.push(`<${element.localName}> “${element.textContent.trim().slice(0, 40)}” has no border`);
        }
        return faults;
        """
}

extension PairingScene {
    fileprivate func withSecondBrowser(_ body: (BrowserWindow) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let driver = try await Chromedriver.start(home: folder.path)
        try await ending({ await driver.stop() }) {
            try await BrowserWindow.with(.phone, of: driver) { try await body($0) }
        }
    }
}
