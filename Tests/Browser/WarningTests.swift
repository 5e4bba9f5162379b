import RealPrograms
import Testing

/// Whether a viewer sees what speaks against a box before the button that lets it in.
@Suite("The warning of the page that asks for a decision, in Chromium", .serialized, .timeLimit(.minutes(5)))
struct WarningTests {
    /// Windows of phones as they are, with the bars of their browsers and without.
    private static let sizes = [
        (320, 568), (360, 560), (360, 640), (375, 553), (390, 664), (390, 844), (412, 732), (430, 740), (844, 390),
    ]

    @Test(
        "Stands above the buttons and is in view before them, for a TV in another network",
        .enabled(if: !RunningService.hasNodes, "nginx says where a caller is, whatever it claims"),
        arguments: [BrowserWindow.Look.phone, .phone.speaking("de"), .phone.withLargeText.speaking("de")])
    func warning(_ look: BrowserWindow.Look) async throws {
        try await PairingScene.play(
            "warning", on: look, configuring: { $0["server"]?["trustedProxies"] = ["127.0.0.1"] }
        ) { scene in
            try await scene.window.claim(address: "198.51.100.9")
            try await scene.window.open("\(scene.server.url)/activate?code=\(try await scene.codeFromElsewhere())")
            try await scene.pickProvider()
            try await scene.signIn()
            #expect(try await scene.window.elements("#look.far p").count == 2, "the network, and who sent the code")
            for (width, height) in Self.sizes {
                try await scene.window.show(as: look.sized(width, height))
                let faults = try await scene.window.evaluate(Self.script).list.compactMap(\.text)
                #expect(faults.isEmpty, "\(width)x\(height)")
            }
            await scene.box.kill()
        }
    }

    @Test func `No bar covers what is to be read or filled in, on a phone that lies on its side`() async throws {
        try await PairingScene.play("landscape", on: .phone.sized(844, 390)) { scene in
            try await scene.visitEveryPage { page in
                let covered = try await scene.window.evaluate(
                    """
                    window.scrollTo(0, 0);
                    return [...document.querySelectorAll("main input:not([type=hidden]), main .code, main label")]
                        .filter((element) => {
                            const box = element.getBoundingClientRect();
                            const [x, y] = [box.left + box.width / 2, box.bottom - 2];
                            if (box.width === 0 || y > innerHeight) return false;
                            return !element.contains(document.elementFromPoint(x, y));
                        }).map((element) => element.outerHTML);
                    """
                ).list.compactMap(\.text)
                #expect(covered.isEmpty, "\(page)")
            }
        }
    }

    @Test func `The box that is to be ticked is in view when the page asks for it`() async throws {
        try await PairingScene.play(
            "read-out", on: .phone.sized(390, 664),
            configuring: { configuration in
                configuration["requestors"] = .list(
                    (configuration["requestors"]?.list ?? []).map { requestor in
                        var requestor = requestor
                        requestor["takesReadOutCodes"] = true
                        return requestor
                    })
            }
        ) { scene in
            try await scene.walkToQuestion()
            try await scene.window.clickForNextPage("a[href*='way=readOut']")
            try await scene.decide(.confirm)
            let isSeen = try await scene.window.evaluate(
                """
                const box = document.querySelector("[name=known]"), alert = document.querySelector("[role=alert]");
                const { left, top, width, height } = box.getBoundingClientRect();
                return box.contains(document.elementFromPoint(left + width / 2, top + height / 2))
                    && alert.getBoundingClientRect().top >= 0 && document.activeElement === box;
                """
            ).bool
            #expect(isSeen == true)
            await scene.box.kill()
        }
    }

    /// Scrolls from the top line by line until a button is in view, and gives a sentence for each fault.
    private static let script = """
        const faults = [], look = document.querySelector("#look"), code = document.querySelector(".code");
        const buttons = [...document.querySelectorAll("button[name=decision]")];
        const place = (element) => element.getBoundingClientRect();
        const end = document.documentElement.scrollHeight;
        window.scrollTo(0, 0);
        if (buttons.some((button) => place(button).top < place(look).bottom)) faults.push("a button is above the warning");
        if (place(look).top < place(code).bottom || place(look).top > place(code).bottom + 64)
            faults.push("the warning is not directly under the code");
        const isThere = ({ left, top, width, height }, element) =>
            element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        let seen = 0;
        for (let y = 0; y <= end; y += 8) {
            window.scrollTo(0, y);
            // A paragraph that is longer than the window is read on the way.
            const lines = [...look.children].flatMap((part) => [...part.getClientRects()]);
            if (lines.some((line) => line.bottom <= innerHeight)) seen = Math.max(seen, lines.filter((line) => line.bottom <= innerHeight).length);
            if (buttons.some((button) => place(button).top < innerHeight && isThere(place(button), button))) {
                if (seen < lines.length) faults.push(`a button is in view after ${seen} of ${lines.length} parts of the warning`);
                return faults;
            }
        }
        return [...faults, "no button comes into view"];
        """
}
