import Cryptography
package import WebPages

/// What pages link to, under addresses that change with the content, so that browsers may keep it for ever.
package struct AssetCatalogue: Sendable {
    package struct Asset: Sendable {
        /// `/assets/latchkey-0f3a….css`.
        package let path: String
        package let contentType: String
        package let bytes: [UInt8]
    }

    package let assets: [Asset]
    /// The path of each asset by its file name.
    let paths: [String: String]

    /// - Throws: a fault for a file of a kind that has no content type here.
    package init(_ files: [WebFile]) throws(TemplateFault) {
        var assets: [Asset] = []
        var paths: [String: String] = [:]
        for file in files {
            guard let dot = file.name.lastIndex(of: "."), let type = Self.contentTypes[String(file.name[dot...])]
            else { throw TemplateFault(file: file.name, line: 0, message: "this kind of file is not served") }
            let hash = Hex.encode(Digest.sha256(file.bytes).prefix(8))
            let path = "/assets/\(file.name[..<dot])-\(hash)\(file.name[dot...])"
            assets.append(Asset(path: path, contentType: type, bytes: file.bytes))
            paths[file.name] = path
        }
        self.assets = assets
        self.paths = paths
    }

    private static let contentTypes = [
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".png": "image/png",
    ]
}
