import CommandLineTool
import ServerAPI

struct PageSettings: Sendable {
    /// Without the logo, which stands in a file of its own.
    let branding: Branding
    let logoFile: String?

    init(_ section: SettingsSection) {
        var branding = Branding()
        branding.name = section.readOptional(
            "name", .label(1...40), example: "North Sport", "The name in the head of every page and in its title")
        self.logoFile = section.readOptional(
            "logo", .file, example: "north-sport.svg",
            "A picture beside the name, SVG, PNG or WebP, of at most 6 KiB; shown 32 pixels high")
        let accent = section.readOptional(
            "accent", .colour, example: "#0b6a5c",
            "The colour of buttons and links; refused when it is hard to read on the light pages")
        let onDark = section.readOptional(
            "accentOnDark", .colour, example: "#63d3be",
            "The same on dark pages; left out, the accent made as light as it needs to be")
        branding.palette = Self.palette(section, accent, onDark)
        branding.helpURL = section.readOptional(
            "help", .webPage, example: "https://north-sport.example/help", "A page that helps viewers")
        branding.imprintURL = section.readOptional(
            "imprint", .webPage, example: "https://north-sport.example/imprint",
            "The page that says who is responsible for the pages")
        branding.privacyURL = section.readOptional(
            "privacy", .webPage, example: "https://north-sport.example/privacy",
            "The page about the use of viewers' data")
        let texts = section.sections("texts", atMost: 2000, "Sentences in place of those of the pages", Self.text)
        for (language, key, text) in texts { branding.texts[language, default: [:]][key] = text }
        self.branding = branding
    }

    private static func palette(_ section: SettingsSection, _ accent: Colour?, _ onDark: Colour?) -> Palette? {
        guard let accent else {
            if onDark != nil { section.fault("accentOnDark", "is set, but accent is not") }
            return nil
        }
        guard Palette(accent: accent) != nil else {
            let near = Palette.darkened(accent).text
            section.fault("accent", "cannot be read on the light pages (4.5:1, WCAG 1.4.3); \"\(near)\" could be")
            return nil
        }
        guard let onDark else { return Palette(accent: accent) }
        guard let palette = Palette(accent: accent, accentOnDark: onDark) else {
            let near = Palette.lightened(onDark).text
            section.fault("accentOnDark", "cannot be read on the dark pages (4.5:1, WCAG 1.4.3); \"\(near)\" could be")
            return nil
        }
        return palette
    }

    private static func text(_ section: SettingsSection) -> (language: String, key: String, text: String)? {
        let language = section.readRequired("language", .label(1...35), example: "en", "The language, by its tag")
        let key = section.readRequired(
            "sentence", .label(1...64), example: "landing.title", "Which sentence, as web/locales/en.json calls it")
        let text = section.readRequired(
            "text", .label(1...500), example: "Sign in on your TV with your phone",
            "The new text, with the same names in braces")
        guard let language, let key, let text else { return nil }
        if let fault = Branding.fault(of: text, for: key, in: language) {
            section.fault("text", "cannot be used: \(fault)")
            return nil
        }
        return (language, key, text)
    }

    /// The operator's own pages, and the file that says where addresses are used, which is the same for all pages.
    static func operatorsOwn(_ section: SettingsSection) -> (pages: PageSettings, places: String?) {
        (
            PageSettings(section),
            section.readOptional(
                "places", .file, example: "places.mmdb",
                "A file in the MaxMind DB format, such as GeoLite2 City, that says where addresses are used. Pages then "
                    + "say roughly where a box is")
        )
    }
}

extension SettingKind where Value == Colour {
    static var colour: SettingKind { .parsed("a colour such as \"#0b6a5c\"", Colour.init, \.text) }
}
