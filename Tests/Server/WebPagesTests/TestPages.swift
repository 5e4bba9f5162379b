import ServerAPI
import WebPages

/// A library of one page, `test.html`, in a bare layout, with the sentences of the real one.
enum TestLibrary {
    static let layout = """
        <!DOCTYPE html>
        <html lang="{{language}}" dir="{{direction}}">
        <head><title>{{slot title}}</title></head>
        <body>
        {{slot main}}
        </body>
        </html>
        """

    static func make(
        main: String, title: String = "x", layout: String = TestLibrary.layout, locales: [WebFile] = WebFiles.locales
    ) throws(TemplateFault) -> PageLibrary {
        try self.make(
            page: "{{slot title}}\(title){{end}}\n{{slot main}}\(main){{end}}\n", layout: layout, locales: locales)
    }

    static func make(
        page: String, layout: String = TestLibrary.layout, locales: [WebFile] = WebFiles.locales
    ) throws(TemplateFault) -> PageLibrary {
        try PageLibrary(
            pages: [
                WebFile(name: "layout.html", bytes: Array(layout.utf8)),
                WebFile(name: "test.html", bytes: Array(page.utf8)),
            ], locales: locales, assets: try AssetCatalogue(WebFiles.assets))
    }

    static func text(
        _ library: PageLibrary, _ values: TemplateValues = [:], in language: String
    ) throws(TemplateFault) -> String {
        String(decoding: try library.render(Page("test", values), in: language), as: UTF8.self)
    }

    /// What stands in the body of the page that `main` and `values` make.
    static func render(
        _ main: String, _ values: TemplateValues = [:], title: String = "x", language: String = "en",
        locales: [WebFile] = WebFiles.locales
    ) throws(TemplateFault) -> String {
        let library = try self.make(main: main, title: title, locales: locales)
        let document = try self.text(library, values, in: language)
        let start = document.firstRange(of: "<body>\n")?.upperBound ?? document.startIndex
        let end = document.firstRange(of: "\n</body>")?.lowerBound ?? document.endIndex
        return String(document[start..<end])
    }
}
