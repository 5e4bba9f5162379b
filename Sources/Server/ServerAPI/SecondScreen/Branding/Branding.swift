import Clientless

/// The owner of the pages, as a viewer is told: the operator's, or a channel brand's own.
package struct Branding: Hashable, Sendable {
    /// The most bytes of a logo: it is part of every first view.
    package static let maximumLogoSize = 6 * 1024

    /// The name in the head of every page and in its title.
    package var name: String?
    package var logo: Picture?
    package var palette: Palette?
    package var helpURL: String?
    package var imprintURL: String?
    package var privacyURL: String?
    /// Sentences in place of ours, by language and key.
    package var texts: [String: [String: String]] = [:]

    package init() {}

    /// The title of the pages without a setting.
    static let defaultName = "Latchkey"

    /// This brand's own, and for what it leaves out the operator's.
    func completed(by operatorsOwn: Branding) -> Branding {
        var copy = self
        copy.name = self.name ?? operatorsOwn.name
        copy.logo = self.logo ?? operatorsOwn.logo
        copy.palette = self.palette ?? operatorsOwn.palette
        copy.helpURL = self.helpURL ?? operatorsOwn.helpURL
        copy.imprintURL = self.imprintURL ?? operatorsOwn.imprintURL
        copy.privacyURL = self.privacyURL ?? operatorsOwn.privacyURL
        for (language, texts) in operatorsOwn.texts {
            copy.texts[language, default: [:]].merge(texts) { own, _ in own }
        }
        return copy
    }

    /// The faults of a sentence in place of ours; `nil` when nothing is.
    package static func fault(of text: String, for key: String, in language: String) -> String? {
        guard let library = try? ShippedPages.read.get().library else { return nil }
        guard library.language(named: language) != nil else {
            return "\"\(language)\" is no language of the pages; they are \(library.languages.joined(separator: ", "))"
        }
        do throws(TemplateFault) {
            _ = try library.saying([language: [key: text]])
            return nil
        } catch {
            return error.message
        }
    }
}

/// Every brand as the pages show it, made once.
struct BrandedPages: Sendable {
    private let operatorsOwn: PageLibrary
    private let requestors: [RequestorID: PageLibrary]
    /// The logos and style sheets, to be served with the other files of the pages.
    let assets: [AssetCatalogue.Asset]

    /// - Throws: a fault when a sentence of a brand is malformed.
    init(
        _ library: PageLibrary, assets: AssetCatalogue, _ branding: Branding, _ requestors: [RequestorID: Branding]
    ) throws(TemplateFault) {
        var files: [String: AssetCatalogue.Asset] = [:]
        self.operatorsOwn = try Self.look(branding, library, assets, &files)
        var looks: [RequestorID: PageLibrary] = [:]
        for (requestor, own) in requestors {
            looks[requestor] = try Self.look(own.completed(by: branding), library, assets, &files)
        }
        self.requestors = looks
        self.assets = files.values.sorted { $0.path < $1.path }
    }

    /// How `page` looks: as its brand, or as the operator's other pages.
    func look(of page: Page) -> PageLibrary { page.brand.flatMap { self.requestors[$0] } ?? self.operatorsOwn }

    private static func look(
        _ brand: Branding, _ library: PageLibrary, _ assets: AssetCatalogue,
        _ files: inout [String: AssetCatalogue.Asset]
    ) throws(TemplateFault) -> PageLibrary {
        let logo = brand.logo.map { AssetCatalogue.Asset("logo", $0.ending, $0.contentType, $0.bytes) }
        let style = brand.palette.map {
            AssetCatalogue.Asset("brand", ".css", AssetCatalogue.contentTypes[".css"] ?? "", Array($0.styleSheet.utf8))
        }
        for file in [logo, style].compactMap({ $0 }) { files[file.path] = file }
        let values: TemplateValues = [
            "helpLink": .optional(brand.helpURL), "imprintLink": .optional(brand.imprintURL),
            "privacyLink": .optional(brand.privacyURL),
            "hasLinks": .flag(brand.helpURL != nil || brand.imprintURL != nil || brand.privacyURL != nil),
            "serviceName": .text(brand.name ?? Branding.defaultName),
            "serviceLogo": .text(logo?.path ?? assets.paths["logo.svg"] ?? ""),
            "serviceStyle": .optional(style?.path),
        ]
        return try library.saying(brand.texts, with: values)
    }
}
