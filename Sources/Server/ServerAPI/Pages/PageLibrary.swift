package import Clientless
import Phrases
package import WebPages

/// A page: the template that it fills, and the values that the template shows.
package struct Page: Sendable {
    /// The template's file name without `.html`.
    let template: String
    /// The channel brand in whose look it is shown, as it is about a box of theirs; `nil` for the operator's own look.
    let brand: RequestorID?
    /// Whether it may be sent compressed, which tells its length what repeats itself in it. Only where no secret that is
    /// the same each time stands beside something that a stranger can choose (BREACH, CVE-2013-3587); a form's token is
    /// another each time.
    let mayBeCompressed: Bool
    var values: TemplateValues

    package init(
        _ template: String, of brand: RequestorID? = nil, mayBeCompressed: Bool = false, _ values: TemplateValues = [:]
    ) {
        self.template = template
        self.brand = brand
        self.mayBeCompressed = mayBeCompressed
        self.values = values
    }
}

/// All templates and languages, read and checked once.
package struct PageLibrary: Sendable {
    private typealias Said = (layout: Template, pages: [String: [String: Template]], values: TemplateValues)

    private let layout: Template
    private let pages: [String: [String: Template]]
    private(set) var phrasebooks: [String: Phrasebook]
    /// The layout's values of a brand.
    private var look: TemplateValues = [:]
    /// By language, with everything written out that is the same on every such page.
    private var said: [String: Said] = [:]
    /// The tags of all languages, English first.
    package let languages: [String]

    /// - Throws: the first fault found in a template or a file of sentences.
    package init(
        pages: [WebFile] = WebFiles.pages, locales: [WebFile] = WebFiles.locales, assets: AssetCatalogue
    ) throws(TemplateFault) {
        guard let english = locales.first(where: { $0.name == "en.json" })
        else { throw TemplateFault(file: "en.json", line: 0, message: "there are no English sentences") }
        let fallback = try Phrasebook(english)
        var phrasebooks = ["en": fallback]
        for file in locales where file.name != "en.json" {
            let phrasebook = try Phrasebook(file).filled(by: fallback)
            phrasebooks[phrasebook.language] = phrasebook
        }
        guard let frame = pages.first(where: { $0.name == "layout.html" })
        else { throw TemplateFault(file: "layout.html", line: 0, message: "there is no layout") }
        let (layout, slots) = try TemplateParser.layout(frame.name, frame.bytes, assets: assets.paths)
        var parsed: [String: [String: Template]] = [:]
        for file in pages where file.name != "layout.html" {
            let parts = try TemplateParser.page(file.name, file.bytes, assets: assets.paths, slots: slots)
            parsed[String(file.name.prefix { $0 != "." })] = parts
        }
        self.layout = layout
        self.pages = parsed
        self.phrasebooks = phrasebooks
        self.languages = ["en"] + phrasebooks.keys.filter { $0 != "en" }.sorted()
        try self.checkSentences(of: fallback)
        try self.writeOut()
    }

    private mutating func writeOut() throws(TemplateFault) {
        for (language, phrasebook) in self.phrasebooks {
            var values = self.look
            values["language"] = .text(phrasebook.language)
            values["direction"] = .text(phrasebook.direction)
            values["languages"] = .list(self.languages.compactMap { self.choice($0, in: phrasebook) })
            var pages = self.pages
            for (name, parts) in self.pages {
                for (part, template) in parts {
                    pages[name]?[part] = try template.writtenOut(values, phrasebook)
                }
            }
            let layout = try self.layout.writtenOut(values, phrasebook)
            // A page may have another.
            values["offersLanguages"] = .flag(true)
            self.said[language] = (layout, pages, values)
        }
    }

    /// The same pages with other sentences.
    /// - Parameters:
    ///   - texts: sentences by language and key.
    ///   - look: what the layout shows of a brand, under names that no page has.
    /// - Throws: a fault for a language or a key there is not, a sentence with forms for numbers, or a placeholder that
    ///   the sentence does not have.
    package func saying(
        _ texts: [String: [String: String]], with look: TemplateValues = [:]
    ) throws(TemplateFault) -> PageLibrary {
        var copy = self
        copy.look = look
        for (language, texts) in texts {
            guard let phrasebook = self.phrasebooks[language]
            else { throw TemplateFault(file: "\(language).json", line: 0, message: "there is no such language") }
            copy.phrasebooks[language] = try phrasebook.saying(texts)
        }
        try copy.writeOut()
        return copy
    }

    package func language(for header: String?) -> String {
        LanguagePreference(header).choose(from: self.languages) ?? "en"
    }

    /// `language` as its file is called, when there are sentences of it.
    package func language(named language: String) -> String? { self.languages.first { $0 == language } }

    /// The whole document, in UTF-8.
    /// - Parameter frame: what the layout shows besides the page's own values.
    /// - Throws: a fault when there is no such template, or the page does not give it what it shows.
    package func render(
        _ page: Page, in language: String, frame: TemplateValues = [:]
    ) throws(TemplateFault) -> [UInt8] {
        guard let phrasebook = self.phrasebooks[language] ?? self.phrasebooks["en"],
            let said = self.said[phrasebook.language], let parts = said.pages[page.template]
        else { throw TemplateFault(file: "\(page.template).html", line: 0, message: "there is no such page") }
        return try TemplateRenderer.render(
            said.layout, parts: parts, values: [said.values, frame, page.values], phrasebook: phrasebook)
    }

    /// A language as the viewer is offered it: by its own name, in its own script.
    private func choice(_ language: String, in current: Phrasebook) -> TemplateValues? {
        self.phrasebooks[language].map { offered in
            [
                "tag": .text(offered.language), "ownName": .text(offered.name),
                "ownDirection": .text(offered.direction), "isCurrent": .flag(offered.language == current.language),
            ]
        }
    }

    var templates: [Template] { [self.layout] + self.pages.values.flatMap { $0.values } }

    private func checkSentences(of phrasebook: Phrasebook) throws(TemplateFault) {
        for template in self.templates {
            for (key, line) in Template.sentences(in: template.nodes) where phrasebook[key] == nil {
                throw TemplateFault(file: template.file, line: line, message: "there is no sentence '\(key)'")
            }
        }
        for key in PhraseKey.names where phrasebook[key] == nil {
            throw TemplateFault(file: "en.json", line: 0, message: "there is no sentence '\(key)'")
        }
    }
}
