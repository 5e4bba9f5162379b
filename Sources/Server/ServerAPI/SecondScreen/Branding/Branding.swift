import WebPages

/// Whose pages they are, as a viewer is told: the operator's, or a channel brand's own.
package struct Branding: Hashable, Sendable {
    /// A picture that the server keeps and serves itself.
    package struct Logo: Hashable, Sendable {
        /// The longest, in bytes: it is part of every first view.
        package static let maximumSize = 6 * 1024

        let bytes: [UInt8]
        /// `.png` or `.svg`.
        let ending: String

        /// - Returns: `nil` for what is neither a PNG of at most 1024 pixels a side nor an SVG, or too long.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count <= Self.maximumSize else { return nil }
            if Self.isPicture(bytes) {
                self.ending = ".png"
            } else if Self.isDrawing(bytes) {
                self.ending = ".svg"
            } else {
                return nil
            }
            self.bytes = bytes
        }

        private static func isPicture(_ bytes: [UInt8]) -> Bool {
            guard bytes.count > 33, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
                bytes[12..<16].elementsEqual("IHDR".utf8)
            else { return false }
            func side(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
            return (1...1024).contains(side(16)) && (1...1024).contains(side(20))
        }

        /// A browser shows an SVG in a page without running or loading anything that is in it, and opened alone it has
        /// the policy of all files of pages, which allows neither.
        private static func isDrawing(_ bytes: [UInt8]) -> Bool {
            guard let text = String(validating: bytes, as: UTF8.self) else { return false }
            let start = text.drop(while: \.isWhitespace)
            return (start.hasPrefix("<svg") || start.hasPrefix("<?xml")) && text.contains("<svg")
                && text.contains("</svg>")
        }
    }

    /// The name in the head of every page and in its title.
    package var name: String?
    package var logo: Logo?
    package var palette: Palette?
    package var helpURL: String?
    package var imprintURL: String?
    package var privacyURL: String?
    /// Sentences in place of ours, by language and key.
    package var texts: [String: [String: String]] = [:]

    package init() {}

    /// What the pages are called when the operator says nothing.
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

    private static let library = (try? AssetCatalogue(WebFiles.assets)).flatMap { try? PageLibrary(assets: $0) }

    /// What is wrong with a sentence in place of ours; `nil` when nothing is.
    package static func fault(of text: String, for key: String, in language: String) -> String? {
        guard let library = self.library else { return nil }
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
