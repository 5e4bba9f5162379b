import RealPrograms
import Synchronization
import Testing

/// Compares every page with the picture that is kept of it. `deploy/test pictures` does all of them, the gate some, and
/// `deploy/test pictures --accept` keeps what looks different.
@Suite(
    "Every page and its picture", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: !RunningService.hasNodes, "the last page does not wait for the TV there"))
struct PicturesTests {
    private static let run = KeptPictures.Run.own

    @Test("is as it was", arguments: Self.run == .few ? ["en"] : ["en", "de", "ar"])
    func kept(_ language: String) async throws {
        let kept = KeptPictures()
        let looks = Self.looks(language)
        let seen = Mutex<Set<String>>([])
        @Sendable func compare(_ page: String, in scene: PairingScene) async throws {
            try await scene.settle()
            for look in looks {
                let name = "\(page.replacing(" ", with: "-"))/\(look.pictureName)"
                try await scene.window.show(as: look)
                try await scene.compare(name, with: kept, Self.run)
                seen.withLock { _ = $0.insert(name) }
            }
        }
        try await PairingScene.play(
            "pictures", on: looks[0],
            configuringBox: { ($0["deviceName"], $0["model"]) = ("Living room", "Box 7") }
        ) { scene in
            try await scene.visitEveryPage(withStates: true) { try await compare($0, in: scene) }
        }
        try await PairingScene.play(
            "rare pictures", on: looks[0],
            configuring: { PairingScene.prepareRarePages(in: &$0) }
        ) { scene in
            try await scene.visitRarePages { try await compare($0, in: scene) }
        }
        try await EveryPageTests.visitEmptyPicker("empty picture", looks[0]) { try await compare($1, in: $0) }
        guard Self.run != .few else { return }
        let made = seen.withLock { $0 }
        let gone = try kept.names().filter { $0.hasSuffix("-\(language)") }.subtracting(made).sorted()
        if Self.run == .accept { for name in gone { try kept.remove(name) } }
        #expect(Self.run == .accept || gone.isEmpty, "pictures of what is no more")
    }

    /// Five sizes, light and dark; a phone alone for the gate.
    private static func looks(_ language: String) -> [BrowserWindow.Look] {
        var phone = BrowserWindow.Look.phone.speaking(language)
        phone.scale = 1
        let sizes = Self.run == .few ? [(390, 664)] : EveryPageTests.sizes
        return sizes.flatMap { size in [.light, .dark].map { phone.sized(size.0, size.1).with($0) } }
    }
}

extension BrowserWindow.Look {
    fileprivate var pictureName: String { "\(self.width)x\(self.height)-\(self.scheme)-\(self.language)" }
}

extension PairingScene {
    /// Makes the page look the same each time: the letters of one font, no blinking, nothing that stays in view wherever
    /// the page was scrolled to, and fixed words for what changes from one pairing to the next.
    fileprivate func settle() async throws {
        _ = try await self.window.evaluate(
            """
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`
                * { caret-color: transparent !important; animation: none !important; transition: none !important; }
                .actions { position: static !important; }
                html { font-family: "DejaVu Sans" !important; }
                .code, input.code-field { font-family: "DejaVu Sans Mono" !important; }`);
            document.adoptedStyleSheets = [sheet];
            const words = [
                [/\(self.code.text.prefix(3))-?\(self.code.text.dropFirst(3))/g, "M3K-TKHJ"],
                // The font has no letters for it, and other fonts of a machine change nothing.
                [/日本語/g, "Nihongo"],
                // The number of a TV, which each set-up has for itself.
                [/[0-9a-f]{8}-[0-9a-f]{8}/g, "0123abcd-4567cdef"],
                // Of a box elsewhere.
                [/(?<![\\w-])[B-DF-HJ-NP-TV-XZ2-9]{3}-[B-DF-HJ-NP-TV-XZ2-9]{4}(?![\\w-])/g, "M3K-TKHJ"],
                [/\\d{1,2}\\.?\\s\\p{L}+\\s20\\d\\d/gu, "9\\u00a0May\\u00a02035"],
            ];
            for (const time of document.querySelectorAll("time")) time.textContent = "20:15";
            for (const reference of document.querySelectorAll(".hint bdi")) reference.textContent = "0000";
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                for (const [what, word] of words) texts.currentNode.data = texts.currentNode.data.replace(what, word);
            }
            for (const field of document.querySelectorAll("input[type=text]")) {
                for (const [what, word] of words) field.value = field.value.replace(what, word);
            }
            """)
    }

    fileprivate func compare(_ name: String, with kept: KeptPictures, _ run: KeptPictures.Run) async throws {
        let picture = try await self.window.smallScreenshot()
        guard let old = kept.picture(name) else {
            if run == .accept { return try kept.keep(picture, as: name) }
            Issue.record("there is no picture \(name)")
            return
        }
        let comparison = try await PictureComparison(old, picture, in: self.window)
        if comparison.isAlike { return }
        if run == .accept { return try kept.keep(picture, as: name) }
        let file = "different-\(name.replacing("/", with: "-"))"
        try Screenshots.keep(comparison.marked.isEmpty ? picture : comparison.marked, as: file)
        let cells = comparison.differingCells.map { "\($0) cells look different" } ?? "the sizes differ"
        Issue.record("\(name): \(cells); see \(file).png where the screenshots are")
    }
}
