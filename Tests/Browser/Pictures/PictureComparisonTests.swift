import TestSupport
import Testing

@Suite("The comparison of pictures", .serialized, .timeLimit(.minutes(5)))
struct PictureComparisonTests {
    /// What is done to a page, as a script, and whether it still looks the same.
    private static let changes: [(name: String, script: String, isAlike: Bool)] = [
        ("nothing", "", true),
        ("noise", noise, true),
        ("letters with other edges", "document.body.style.transform = 'translate(0.4px, 0.3px)'", true),
        ("a block that moved", "button.style.transform = 'translateY(6px)'", false),
        ("a line that moved", "document.querySelector('p').style.marginTop = '24px'", false),
        ("an icon that is missing", "document.querySelector('i').style.visibility = 'hidden'", false),
        ("a text that is missing", "document.querySelector('p').style.visibility = 'hidden'", false),
        ("a text that can hardly be read", "document.querySelector('p').style.color = '#c8c8c8'", false),
        ("a button in another colour", "button.style.background = '#0b6aa0'", false),
        ("a longer page", "document.body.style.height = '1200px'", false),
    ]

    /// Each pixel a little lighter or darker.
    private static let noise = """
        const canvas = document.createElement("canvas"), [width, height] = [390, 664];
        Object.assign(canvas, { width, height });
        canvas.style.cssText = "position: absolute; inset: 0";
        const context = canvas.getContext("2d"), picture = context.createImageData(width, height);
        let seed = 1;
        for (let at = 0; at < picture.data.length; at += 4) {
            seed = (seed * 48271) % 2147483647;
            picture.data.fill(seed % 2 ? 255 : 0, at, at + 3);
            picture.data[at + 3] = seed % 9;
        }
        context.putImageData(picture, 0, 0);
        document.body.append(canvas);
        """

    private static let page = """
        document.body.innerHTML = `<h1>Is this TV in front of you?</h1><i></i>
            <p>This TV may play Demo Channel with your Demo TV account.</p><button>Confirm</button>`;
        document.body.style.cssText = "margin: 16px; font: 16px/1.5 'DejaVu Sans'; color: #1c2927; height: 900px";
        document.querySelector("i").style.cssText = "display: block; width: 12px; height: 12px; background: #0b6a5c";
        const button = document.querySelector("button");
        button.style.cssText = "width: 100%; height: 52px; border: 0; background: #0b6a5c; color: #fff";
        """

    @Test("sees a block that moved, an element that is missing and a faint text, and neither noise nor other edges")
    func finds() async throws {
        let folder = try TemporaryFolder()
        let driver = try await Chromedriver.start(home: folder.path)
        try await ending({ await driver.stop() }) {
            let look = BrowserWindow.Look.desktop.sized(390, 664)
            try await BrowserWindow.with(look, of: driver) { window in
                try await window.open("data:text/html,<!DOCTYPE html><title>A page</title>")
                _ = try await window.evaluate(Self.page)
                let old = try await window.smallScreenshot()
                for (name, script, isAlike) in Self.changes {
                    _ = try await window.evaluate("\(Self.page)\n\(script)")
                    let comparison = try await PictureComparison(old, try await window.smallScreenshot(), in: window)
                    let cells = comparison.differingCells.map { "\($0)" } ?? "all"
                    #expect(comparison.isAlike == isAlike, "\(name): \(cells) cells")
                }
            }
        }
    }
}
