import WebPages

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
