import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

struct PageInspection {
    let window: BrowserWindow
    /// Begins the names of the screenshots.
    let story: String

    /// Looks at the page as it is now, and keeps a picture of it.
    /// - Parameters:
    ///   - isRefusal: the page came with a status of 400 or above, which the browser notes in its console.
    ///   - foreign: the address of a site whose pages came before; what they complain of is not ours.
    func look(
        at page: String, isRefusal: Bool = false, after foreign: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let name = "\(self.story)-\(page)-\(self.window.look)"
        try Screenshots.keep(try await self.window.screenshot(), as: name)
        let complaints = try await self.window.complaints().filter { complaint in
            let isForeign = foreign.map { complaint.hasPrefix($0) } ?? false
            let isStatus = complaint.contains("Failed to load resource: the server responded with a status of 4")
            return !isForeign && !(isRefusal && isStatus)
        }
        #expect(complaints.isEmpty, "\(name): the console complains", sourceLocation: sourceLocation)
        let faults = try await self.window.evaluate(Self.script).list.compactMap(\.text)
        #expect(faults.isEmpty, "\(name)", sourceLocation: sourceLocation)
        try await self.checkNames(name, sourceLocation)
    }

    /// Whatever can be used has a name and a role for those who do not see it (WCAG 4.1.2).
    private func checkNames(_ page: String, _ sourceLocation: SourceLocation) async throws {
        // What a closed menu or a hidden form holds is there for no viewer.
        let unseen = "details:not([open]) *, [hidden] *"
        let usable = "input:not([type=hidden], \(unseen)), button:not(\(unseen)), a[href]"
        // Each costs two questions, and after so many there are only further entries of a list.
        for element in try await self.window.elements(usable).prefix(40) {
            let (role, name) = try await self.window.accessible(element)
            #expect(!name.isEmpty, "\(page): a \(role) without a name", sourceLocation: sourceLocation)
            #expect(
                ["button", "checkbox", "link", "searchbox", "textbox"].contains(role),
                "\(page): “\(name)” has the role \(role)", sourceLocation: sourceLocation)
        }
    }

    /// A list of sentences, one for each fault.
    private static let script = """
        const faults = [];
        const root = document.documentElement;
        const said = (element) => `<${element.localName}> “${element.textContent.trim().slice(0, 40)}”`;
        if (root.scrollWidth > root.clientWidth)
            faults.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
        if (!root.lang) faults.push("the language is not told");
        if (!document.title) faults.push("there is no title");
        if (document.querySelectorAll("h1").length !== 1) faults.push("there is not exactly one h1");
        if (document.querySelectorAll("main").length !== 1) faults.push("there is not exactly one main part");
        if (document.querySelector("[style], style, [onclick], [onsubmit], [onload]"))
            faults.push("there is code or style in the page itself");
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        if (new Set(ids).size !== ids.length) faults.push("an id is there twice");

        // A thumb needs room (WCAG 2.5.8); what stands in a sentence may be as high as the sentence.
        for (const element of document.querySelectorAll("button, input:not([type=hidden])")) {
            const box = element.getBoundingClientRect();
            if (box.width === 0) continue;
            if (box.height < 24 || box.width < 24)
                faults.push(`${said(element)} is only ${Math.round(box.width)} by ${Math.round(box.height)}`);
        }

        // Text against what is behind it (WCAG 1.4.3).
        const color = (text) => {
            const parts = text.match(/[\\d.]+/g).map(Number);
            const scale = text.startsWith("color(") ? 255 : 1;
            return { rgb: parts.slice(0, 3).map((part) => part * scale), alpha: parts.length > 3 ? parts[3] : 1 };
        };
        const luminance = (rgb) => {
            const [r, g, b] = rgb.map((part) => part / 255)
                .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = (element) => {
            for (; element; element = element.parentElement) {
                const style = getComputedStyle(element);
                if (style.backgroundImage !== "none") return null;
                const found = color(style.backgroundColor);
                if (found.alpha === 1) return found.rgb;
            }
            const dark = matchMedia("(prefers-color-scheme: dark)").matches && getComputedStyle(root).colorScheme.includes("dark");
            return dark ? [18, 18, 18] : [255, 255, 255];
        };
        for (const element of document.querySelectorAll("body *")) {
            const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            const box = element.getBoundingClientRect();
            if (!own || box.width <= 1 || box.bottom < 0 || element.closest("[aria-hidden=true]")) continue;
            const style = getComputedStyle(element);
            const behind = ground(element);
            if (!behind) continue;
            const lights = [luminance(color(style.color).rgb), luminance(behind)].sort((a, b) => b - a);
            const contrast = (lights[0] + 0.05) / (lights[1] + 0.05);
            const size = parseFloat(style.fontSize);
            const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            if (contrast < (large ? 3 : 4.5))
                faults.push(`${said(element)} has a contrast of only ${contrast.toFixed(2)}`);
        }
        return faults;
        """
}

/// Where pictures of the pages go: the folder named by `LATCHKEY_SCREENSHOTS`, else `.build/screenshots`.
enum Screenshots {
    static let folder =
        ProcessInfo.processInfo.environment["LATCHKEY_SCREENSHOTS"] ?? "\(ProgramFolder.own.path)/../../screenshots"

    static func keep(_ picture: [UInt8], as name: String) throws {
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        try Data(picture).write(to: URL(filePath: "\(Self.folder)/\(name).png"))
    }
}
