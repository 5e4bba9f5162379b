import Cryptography
package import WebPages

/// The files that pages link to, under addresses that change with the content, so that browsers may keep it for ever.
package struct AssetCatalogue: Sendable {
    package struct Asset: Sendable {
        /// `/assets/latchkey-0f3a….css`.
        package let path: String
        package let contentType: String
        package let bytes: [UInt8]

        /// - Parameter ending: of its name, with the dot.
        init(_ stem: some StringProtocol, _ ending: some StringProtocol, _ contentType: String, _ bytes: [UInt8]) {
            self.path = "/assets/\(stem)-\(Hex.encode(Digest.sha256(bytes).prefix(8)))\(ending)"
            self.contentType = contentType
            self.bytes = bytes
        }
    }

    package let assets: [Asset]
    /// The path of each asset by its file name.
    let paths: [String: String]

    /// - Throws: a fault for a kind of file that has no content type here, and for a remark longer than its line.
    package init(_ files: [WebFile]) throws(TemplateFault) {
        var assets: [Asset] = []
        var paths: [String: String] = [:]
        for file in files {
            guard let dot = file.name.lastIndex(of: "."), let type = Self.contentTypes[String(file.name[dot...])]
            else { throw TemplateFault(file: file.name, line: 0, message: "this kind of file is not served") }
            let asset = Asset(file.name[..<dot], file.name[dot...], type, try Self.packed(file, type))
            assets.append(asset)
            paths[file.name] = asset.path
        }
        self.assets = assets
        self.paths = paths
    }

    /// A style sheet or a script without what only its writers need: indentation, blank lines, lines of remarks. A
    /// remark has its line to itself in both.
    private static func packed(_ file: WebFile, _ contentType: String) throws(TemplateFault) -> [UInt8] {
        let isStyle = contentType.hasPrefix("text/css")
        guard isStyle || contentType.hasPrefix("text/javascript") else { return file.bytes }
        var packed = ""
        let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            let words = line.drop { $0 == " " }
            guard !isStyle || words.contains("/*") == words.contains("*/")
            else { throw TemplateFault(file: file.name, line: place + 1, message: "a remark ends on its line") }
            guard let end = words.last, !words.hasPrefix(isStyle ? "/*" : "//") else { continue }
            guard isStyle, ";{},".contains(end) else {
                packed += words + "\n"
                continue
            }
            packed += end == ";" ? words.replacing(": ", with: ":", maxReplacements: 1) : words
        }
        return Array(packed.utf8)
    }

    static let contentTypes = [
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".png": "image/png",
    ]
}

/// The pages of `web/` in every language, with what they link to. A process reads and checks them once, for every
/// server that it runs and every configuration that it loads.
struct ShippedPages: Sendable {
    let assets: AssetCatalogue
    let library: PageLibrary

    private init() throws(TemplateFault) {
        self.assets = try AssetCatalogue(WebFiles.assets)
        self.library = try PageLibrary(assets: self.assets)
    }

    /// - Throws: from `get()`, the first fault found in a template, a file of sentences or an asset.
    static let read = Result { () throws(TemplateFault) in try ShippedPages() }
}
