import Clientless

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
    func look(of page: Page) -> PageLibrary {
        page.brand.flatMap { self.requestors[$0] } ?? self.operatorsOwn
    }

    private static func look(
        _ brand: Branding, _ library: PageLibrary, _ assets: AssetCatalogue,
        _ files: inout [String: AssetCatalogue.Asset]
    ) throws(TemplateFault) -> PageLibrary {
        let logo = brand.logo.map { AssetCatalogue.Asset("logo", $0.ending, $0.contentType, $0.bytes) }
        let style = brand.palette.map {
            AssetCatalogue.Asset(
                "brand", ".css", AssetCatalogue.contentTypes[".css"] ?? "", Array($0.styleSheet.utf8))
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
