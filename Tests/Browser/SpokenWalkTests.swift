import FoundationEssentials
import RealPrograms
import Synchronization
import Testing

private let walkFile = ProcessInfo.processInfo.environment["LATCHKEY_WALK"]

/// Writes down what a screen reader finds on each page, for a person to read. By name: `LATCHKEY_WALK` is the file.
@Suite(
    "A walk with a screen reader, in Chromium", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: walkFile != nil, "LATCHKEY_WALK=FILE writes it"))
struct SpokenWalkTests {
    @Test(arguments: ["en"]) func `Every control of every page has a name`(_ language: String) async throws {
        let file = try #require(walkFile)
        let lines = Mutex<[String]>([])
        @Sendable func read(_ page: String, in scene: PairingScene) async throws {
            let spoken = try await scene.window.spoken()
            let title = try await scene.window.title
            lines.withLock { $0 += ["", "## \(page): \(title)", ""] + spoken }
            #expect(spoken.count > 3, "\(page)")
            #expect(!spoken.contains { $0.contains(": “”") }, "\(page)")
        }
        let look = BrowserWindow.Look.phone.speaking(language)
        try await PairingScene.play(
            "spoken", on: look,
            configuringBox: { ($0["deviceName"], $0["model"]) = ("Living room", "Box 7") }
        ) { scene in
            try await scene.visitEveryPage(withStates: true) { try await read($0, in: scene) }
        }
        try await PairingScene.play(
            "spoken rare", on: look, configuring: { PairingScene.prepareRarePages(in: &$0) }
        ) { scene in
            try await scene.visitRarePages { page in
                // Two hundred names say nothing new.
                if page != "many providers" { try await read(page, in: scene) }
            }
        }
        try Data(lines.withLock { $0 }.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    }
}

extension BrowserWindow {
    /// What assistive technology is told of the page, a line for each stop, indented as it is nested.
    fileprivate func spoken() async throws -> [String] {
        let nodes = try await self.devTools("Accessibility.getFullAXTree", [:])["nodes"]?.list ?? []
        var byID: [String: JSON] = [:]
        for node in nodes { byID[node["nodeId"]?.text ?? ""] = node }
        var lines: [String] = []
        func visit(_ node: JSON, _ depth: Int) {
            var depth = depth
            var isWhole = false
            if node["ignored"]?.bool != true, let line = Self.line(node) {
                lines.append(String(repeating: "  ", count: depth) + "- " + line)
                depth += 1
                isWhole = ["button", "link", "heading", "checkbox", "StaticText", "summary", "DisclosureTriangle"]
                    .contains(node["role"]?["value"]?.text)
            }
            guard !isWhole else { return }
            for child in node["childIds"]?.list ?? [] {
                if let next = child.text.flatMap({ byID[$0] }) { visit(next, depth) }
            }
        }
        if let root = nodes.first { visit(root, 0) }
        return lines
    }

    /// `nil` for what is not announced.
    private static func line(_ node: JSON) -> String? {
        let role = node["role"]?["value"]?.text ?? ""
        let name = node["name"]?["value"]?.text ?? ""
        guard !["none", "generic", "InlineTextBox", "LineBreak", "paragraph", "LabelText", "Section"].contains(role)
        else { return nil }
        var states: [String] = []
        for property in node["properties"]?.list ?? [] {
            let value = property["value"]?["value"]
            switch property["name"]?.text {
            case "level": states.append("level \(Int(value?.number ?? 0))")
            case "required" where value?.bool == true: states.append("required")
            case "invalid" where value?.text == "true": states.append("invalid")
            case "focused" where value?.bool == true: states.append("has the keyboard")
            case "expanded": states.append(value?.bool == true ? "open" : "closed")
            case "checked": states.append(value?.text == "true" ? "ticked" : "not ticked")
            case "live" where value?.text != "off": states.append("live \(value?.text ?? "")")
            default: break
            }
        }
        let needsName = ["button", "link", "textbox", "searchbox", "checkbox", "heading"].contains(role)
        let description = node["description"]?["value"]?.text ?? ""
        let words = ([role] + states).joined(separator: ", ")
        let hint = description.isEmpty ? "" : " (\(description))"
        return name.isEmpty && !needsName ? words + hint : "\(words): “\(name)”\(hint)"
    }
}
