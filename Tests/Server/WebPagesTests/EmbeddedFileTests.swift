import FoundationEssentials
import ServerAPI
import TestSupport
import Testing
import WebPages

@Suite("The embedded files")
struct EmbeddedFileTests {
    static let folder = ProjectFolder.file("web/")

    @Test(arguments: [("pages", WebFiles.pages), ("assets", WebFiles.assets), ("locales", WebFiles.locales)])
    func `Every file of the folder is handed out, as it is`(_ folder: String, files: [WebFile]) throws {
        let path = Self.folder + folder
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files.map(\.name).sorted() == names.sorted())
        for file in files {
            let data = try #require(FileManager.default.contents(atPath: "\(path)/\(file.name)"))
            #expect(Array(data) == file.bytes, "\(file.name)")
        }
    }

    @Test func `An asset's address holds a hash of its content and its type is known`() throws {
        let catalogue = try AssetCatalogue([
            WebFile(name: "a.css", bytes: Array("p {}".utf8)), WebFile(name: "b.svg", bytes: Array("<svg/>".utf8)),
        ])
        let changed = try AssetCatalogue([WebFile(name: "a.css", bytes: Array("p { }".utf8))])
        let path = try #require(catalogue.assets.first?.path)
        #expect(path.wholeMatch(of: /\/assets\/a-[0-9a-f]{16}\.css/) != nil)
        #expect(path != changed.assets.first?.path)
        #expect(catalogue.assets.map(\.contentType) == ["text/css; charset=utf-8", "image/svg+xml"])
        #expect(throws: TemplateFault(file: "a.exe", line: 0, message: "this kind of file is not served")) {
            try AssetCatalogue([WebFile(name: "a.exe", bytes: [])])
        }
        #expect(throws: TemplateFault(file: "a.css", line: 3, message: "a remark ends on its line")) {
            try AssetCatalogue([WebFile(name: "a.css", bytes: Array("/* x */\n\n  /* y\nz */\np {}".utf8))])
        }
    }

    @Test("A drawing is only a drawing", arguments: WebFiles.assets.filter { $0.name.hasSuffix(".svg") })
    func drawings(_ file: WebFile) {
        let text = String(decoding: file.bytes, as: UTF8.self)
        for word in ["<script", "<style", "style=", " on", "href", "url(", "<foreignObject", "<!"] {
            #expect(!text.contains(word), "\(file.name): \(word)")
        }
    }

    @Test("The style sheet loads nothing from elsewhere, and knows dark mode and people who want no motion")
    func styleSheet() throws {
        let file = try #require(WebFiles.assets.first { $0.name == "latchkey.css" })
        let text = String(decoding: file.bytes, as: UTF8.self)
        for word in ["url(", "@import", "http"] { #expect(!text.contains(word), "\(word)") }
        #expect(text.contains("@media (prefers-color-scheme: dark)"))
        #expect(text.contains("@media (prefers-reduced-motion: reduce)"))
    }

    @Test func `The script neither asks the network nor writes markup`() throws {
        let file = try #require(WebFiles.assets.first { $0.name == "latchkey.js" })
        let text = String(decoding: file.bytes, as: UTF8.self)
        let words = ["fetch", "XMLHttpRequest", "innerHTML", "document.write", "eval(", "localStorage", "session"]
        for word in words { #expect(!text.contains(word), "\(word)") }
    }
}
