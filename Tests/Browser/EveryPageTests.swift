import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

@Suite("Every page, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct EveryPageTests {
    /// Width and height of the windows that every page has to fit.
    static let sizes = [(320, 454), (360, 560), (390, 664), (844, 390), (1280, 680)]

    @Test(
        "Shows what it is for without scrolling, at five sizes, light and dark, and axe finds nothing",
        .enabled(if: Axe.script != nil, "deploy/test browser fetches axe"), arguments: ["en", "de", "ar"])
    func fits(_ language: String) async throws {
        _ = try #require(Axe.script)
        let look = BrowserWindow.Look.phone.speaking(language)
        try await PairingScene.play(
            "every", on: look, configuring: { PairingScene.offerProviderThatIsDown(in: &$0) }
        ) { scene in
            try await scene.visitEveryPage(withTrouble: true) { page in
                for (width, height) in Self.sizes {
                    try await scene.window.show(as: look.sized(width, height))
                    // A list has the actions of each TV beside it, a decision comes after what there is to read, and a phone
                    // that lies on its side has no room for a bar.
                    let needsAction = height > 390 && !["boxes", "confirm", "preview"].contains(page)
                    try await scene.checkFit("\(page) at \(width)x\(height)", needsAction: needsAction)
                }
                try await scene.window.show(as: look)
                try await scene.checkWithAxe(page)
                // Whatever is not a colour is as in light. A colour on its way to another would be measured there.
                try await scene.window.emulate(["prefers-color-scheme": "dark", "prefers-reduced-motion": "reduce"])
                let faint = try await scene.window.evaluateLater(Axe.colors).list.compactMap(\.text)
                #expect(faint.isEmpty, "\(page), dark")
            }
        }
        try await Self.visitEmptyPicker("empty", look) { scene, page in
            for (width, height) in Self.sizes {
                try await scene.window.show(as: look.sized(width, height))
                try await scene.checkFit("\(page) at \(width)x\(height)", needsAction: height > 390)
            }
            try await scene.window.show(as: look)
            try await scene.checkWithAxe(page)
        }
    }

    @Test(
        "Is read without scrolling sideways, and no word letter by letter, with text of 200 % and at a zoom of 400 %",
        arguments: [
            BrowserWindow.Look.smallestPhone.withLargeText.speaking("de"), .phone.withLargeText.speaking("ar"),
            .desktop.sized(320, 170),
        ])
    func large(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play(
            "large", on: look, configuring: { PairingScene.offerProviderThatIsDown(in: &$0) }
        ) { scene in
            try await scene.visitEveryPage(withTrouble: true) { page in
                try await scene.checkFit(page, needsAction: false)
            }
        }
    }

    @Test("No number of a date is broken over two lines, in two fonts and three widths", arguments: ["en", "de", "fr"])
    func dates(_ language: String) async throws {
        let look = BrowserWindow.Look.phone.speaking(language)
        try await PairingScene.play("dates", on: look) { scene in
            try await scene.visitEveryPage { page in
                for font in ["DejaVu Sans", "DejaVu Serif"] {
                    for width in [360, 375, 390] {
                        try await scene.window.show(as: look.sized(width, 664))
                        let broken = try await scene.window.evaluate(Self.brokenNumbers(font)).list.compactMap(\.text)
                        #expect(broken.isEmpty, "\(page), \(width), \(font)")
                    }
                }
            }
        }
    }

    private static func brokenNumbers(_ font: String) -> String {
        """
        const sheet = new CSSStyleSheet(), found = [], range = document.createRange();
        sheet.replaceSync(`html { font-family: "\(font)" !important; }`);
        document.adoptedStyleSheets = [sheet];
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const number of texts.currentNode.data.matchAll(/\\d+/g)) {
                range.setStart(texts.currentNode, number.index);
                range.setEnd(texts.currentNode, number.index + number[0].length);
                if (range.getClientRects().length > 1) found.push(texts.currentNode.data);
            }
        }
        return found;
        """
    }

    @Test(.enabled(if: !RunningService.hasNodes, "no node knows which box another one told"))
    func `The page of a finished login tells that the TV is ready, without being asked`() async throws {
        try await PairingScene.play("handover", on: .phone) { scene in
            try await scene.walkToQuestion()
            try await scene.decide(.confirm)
            try await eventually("the TV to be ready") { () -> Void? in
                let shown = try await scene.window.text(of: "main")
                return shown.contains("Your TV is ready.") ? () : nil
            }
            try await scene.box.end(with: 0)
        }
    }

    @Test("A viewer finds the new TV in their list, gives it a name, and signs it out; a password can be looked at")
    func boxes() async throws {
        try await PairingScene.play("boxes", on: .phone) { scene in
            let window = scene.window
            try await scene.walkToQuestion()
            try await scene.confirm()
            try await window.open(scene.server.url + "/boxes")
            try await scene.inspection.look(at: "1-providers")
            try await scene.checkFit("boxes, providers", needsAction: false)
            try await scene.pickProvider()
            try await window.click("input[data-reveal]")
            #expect(try await window.property("type", of: try await window.element("#password")).text == "text")
            try await scene.inspection.look(at: "2-sign-in")
            try await scene.signIn()
            #expect(try await window.text(of: "h1") == "My TVs")
            try await scene.inspection.look(at: "3-list")
            try await scene.checkFit("boxes, list", needsAction: false)
            try await scene.checkWithAxe("boxes, list")
            try await window.click(".box details:nth-of-type(1) summary")
            try await scene.inspection.look(at: "4-rename")
            try await window.type("Den", into: ".box input[name=name]")
            try await window.clickForNextPage("button[name=change][value=name]")
            #expect(try await window.text(of: ".box h2") == "Den")
            try await window.click(".box details:nth-of-type(2) summary")
            try await scene.inspection.look(at: "5-sign-out")
            try await scene.checkWithAxe("boxes, sign out")
            try await window.clickForNextPage("button[name=change][value=end]")
            #expect(try await window.text(of: ".note.near") == "Den is signed out.")
            #expect(try await window.text(of: "main").contains("You are signed in on no TV"))
            try await scene.inspection.look(at: "6-none")
            // Who is done leaves nothing that the Back button would show.
            try await window.clickForNextPage("form.aside button")
            try await window.back()
            try await eventually("a page without the list") { () -> Void? in
                try await window.elements("a.button[href='/boxes']").isEmpty ? nil : ()
            }
            try await window.click(".languages summary")
            #expect(try await window.elements(".languages[open]").count == 1)
            try await window.click("h1")
            #expect(try await window.elements(".languages[open]").isEmpty)
        }
    }

    @Test func `A code is said to be one, or not, as soon as it is typed completely`() async throws {
        try await PairingScene.play("check", on: .phone) { scene in
            let window = scene.window
            try await window.open(scene.server.url + "/activate")
            for (code, sentence) in [
                ("BBB BBBB", "No TV is waiting with this code."), (scene.code.text, "This is the code of a TV."),
            ] {
                try await window.type(code, into: "#code")
                try await eventually("the page to say: \(sentence)") { () -> Void? in
                    try await window.text(of: ".checks").contains(sentence) ? () : nil
                }
                try await scene.checkFit("code, \(sentence)", needsAction: true)
            }
            try await scene.enterCode()
            #expect(try await window.text(of: "h1") == "Who is your TV provider?")
            await scene.box.kill()
        }
    }

    @Test("A provider among 500 is found with three keys, by any word and without its accents, and remembered")
    func picker() async throws {
        let names = ProviderNames.many
        var look = BrowserWindow.Look.phone.sized(390, 664)
        // The list is sixty windows long, and so is its picture.
        look.scale = 1
        try await PairingScene.play("picker", on: look, configuring: { PairingScene.offer(names, in: &$0) }) { scene in
            try await scene.window.open(scene.code.url)
            try await scene.inspection.look(at: "long")
            var missed: [String] = []
            // Of most first words, and of most second ones.
            for name in stride(from: 0, to: names.count, by: 31).map({ names[$0] }) {
                if try await !scene.isFound(name, withKeys: 3) { missed.append(name) }
            }
            #expect(missed.isEmpty)
            // As who has no umlauts on the keyboard writes them.
            try await scene.search("oeptima cable")
            #expect(try await scene.firstProvider() == "Öptima Cable")
            try await scene.search("zołt")
            #expect(try await scene.firstProvider() == "Żółte Łącze")
            try await scene.search("xxxx")
            #expect(try await scene.window.text(of: ".no-match").hasPrefix("No TV provider is called that."))
            try await scene.search("zolte")
            try await scene.window.click("#provider-search")
            try await scene.window.pressEnterForNextPage()
            #expect(try await scene.window.text(of: "h1") == "Sign in with Żółte Łącze")
            // What was picked is remembered once it led to a TV.
            try await scene.window.open(scene.code.url)
            #expect(try await scene.window.elements(".providers small").isEmpty)
            try await scene.pickProvider()
            try await scene.signIn()
            try await scene.confirm()
            try await scene.window.clickForNextPage("form.aside button")
            let folder = try TemporaryFolder()
            let next = try RunningBox.start(scene.server.demo, .own, state: folder.file("box"), ["pair", "--again"])
            let url = try await next.code().url
            try await scene.window.open(url)
            #expect(try await scene.firstProvider() == "Demo TV")
            #expect(try await scene.window.text(of: "li:first-child small") == "Picked last time")
            // The letter of one that was moved to the top leads to the next.
            let first = "document.querySelector(document.querySelector('.letters a').hash)"
            let pick = "localStorage.setItem('latchkey-provider', \(first).querySelector('button').value)"
            _ = try await scene.window.evaluate(pick)
            try await scene.window.open(url)
            #expect(try await scene.firstProvider() == "Aurora Broadband")
            let name = try await scene.window.evaluate("return \(first).querySelector('.provider-name').textContent")
            #expect(name.text?.hasPrefix("Aurora Cable") == true)
            await next.kill()
        }
    }

    /// The picker where there is nothing to pick, lent to `look`.
    static func visitEmptyPicker(
        _ story: String, _ look: BrowserWindow.Look,
        _ body: @escaping @Sendable (PairingScene, String) async throws -> Void
    ) async throws {
        try await PairingScene.play(story, on: look, configuring: { PairingScene.offerNothing(in: &$0) }) { scene in
            try await scene.window.open(scene.code.url)
            #expect(try await scene.window.elements("button[name=mvpd]").isEmpty)
            #expect(try await scene.window.elements("main .button").count == 1, "one next step")
            try await body(scene, "no provider")
        }
    }
}

extension PairingScene {
    func checkWithAxe(_ page: String) async throws {
        guard let axe = Axe.script else { return }
        #expect(try await self.window.evaluateLater(axe).list.compactMap(\.text).isEmpty, "\(page)")
    }

    /// What a viewer who scrolls nothing has in view.
    fileprivate func checkFit(_ page: String, needsAction: Bool) async throws {
        let faults = try await self.window.evaluate(Self.fit(needsAction: needsAction)).list.compactMap(\.text)
        #expect(faults.isEmpty, "\(page)")
    }

    private static func fit(needsAction: Bool) -> String {
        """
        const faults = [], root = document.documentElement;
        window.scrollTo(0, 0);
        if (root.scrollWidth > root.clientWidth) faults.push(`${root.scrollWidth} wide in ${root.clientWidth}`);
        const shown = (element) => element.getBoundingClientRect().width > 0;
        const buttons = [...document.querySelectorAll("main .button")].filter(shown);
        const actions = buttons.length ? buttons : [...document.querySelectorAll("main .provider")].slice(0, 1);
        for (const action of \(needsAction) ? actions : []) {
            const box = action.getBoundingClientRect();
            if (box.top < 0 || box.bottom > innerHeight)
                faults.push(`“${action.textContent.trim()}” is at ${box.top} to ${box.bottom} of ${innerHeight}`);
            const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            if (top && !action.contains(top)) faults.push(`“${action.textContent.trim()}” is covered`);
        }
        for (const element of document.querySelectorAll("main *")) {
            const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim());
            const longest = Math.max(...text.join(" ").split(/\\s+/).map((word) => word.length));
            const box = element.getBoundingClientRect(), size = parseFloat(getComputedStyle(element).fontSize);
            if (box.width > 1 && longest > 4 && box.width < 2.5 * size)
                faults.push(`“${text.join(" ")}” has a column of ${Math.round(box.width)} pixels`);
        }
        return faults;
        """
    }

    /// Puts `text` into the search as if it were typed at once.
    fileprivate func search(_ text: String) async throws {
        _ = try await self.window.evaluate(
            """
            const field = document.querySelector("#provider-search");
            field.value = "\(text)";
            field.dispatchEvent(new Event("input"));
            """)
    }

    fileprivate func firstProvider() async throws -> String {
        let name = "return document.querySelector('.providers li:not([hidden]) .provider-name').firstChild.textContent"
        return try await self.window.evaluate(name).text ?? ""
    }

    /// Whether so many keys of one of the words of `name`, or of its initials, bring the provider into view.
    fileprivate func isFound(_ name: String, withKeys limit: Int) async throws -> Bool {
        let script = """
            const field = document.querySelector("#provider-search"), name = "\(name)";
            const words = name.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase().split(" ");
            window.scrollTo(0, 0);
            const letters = words.map((word) => word[0]);
            // As far as may be typed first: one letter seldom is enough.
            for (let keys = \(limit); keys > 0; keys -= 1) {
                for (const text of [...words, letters.join(""), letters.join(" ")]) {
                    if (text.length < keys && keys > 1) continue;
                    field.value = text.slice(0, keys);
                    field.dispatchEvent(new Event("input"));
                    const item = [...document.querySelectorAll(".providers li:not([hidden])")]
                        .find((item) => item.querySelector(".provider-name").firstChild.textContent === name);
                    if (item && item.getBoundingClientRect().bottom <= innerHeight) return true;
                }
            }
            return false;
            """
        return try await self.window.evaluate(script).bool ?? false
    }
}

/// axe-core, as a script that gives its findings to its last argument; `LATCHKEY_AXE` names the file.
enum Axe {
    static let script: String? = ProcessInfo.processInfo.environment["LATCHKEY_AXE"].flatMap { path in
        FileManager.default.contents(atPath: path).map { source in
            String(decoding: source, as: UTF8.self) + """
                ;const done = arguments[arguments.length - 1];
                axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
                    .then((result) => done(result.violations.map((found) =>
                        `${found.id}: ${found.nodes.map((node) => node.target.join(" ")).join(", ")}`)));
                """
        }
    }

    /// The rules about colours alone, on a page where the whole script has run.
    static let colors = """
        const done = arguments[arguments.length - 1];
        for (const change of document.getAnimations()) change.finish();
        axe.run({ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } })
            .then((result) => done(result.violations.map((found) =>
                `${found.id}: ${found.nodes.map((node) => node.target.join(" ")).join(", ")}`)));
        """
}
