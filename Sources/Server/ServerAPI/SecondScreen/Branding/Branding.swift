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
