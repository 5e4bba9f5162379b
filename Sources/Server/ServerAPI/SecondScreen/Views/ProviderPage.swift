import Clientless
import Entitlement

extension SecondScreen {
    /// Asks for the TV provider, the first page after a scan. Of the box it says the code and the name alone: a guesser
    /// of codes gets this far.
    func providerPage(_ record: RegistrationRecord, _ visit: Visit, problem: PhraseKey?) throws(Problem) -> Page {
        // A code outlives a change of configuration; its requestor may be gone.
        guard let requestor = self.domain.catalogue.requestor(record.requestor) else { throw Problem(.code) }
        let choices = ProviderChoices(
            providers: self.domain.catalogue.mvpdsOnOwnPage(of: requestor), chosen: record.mvpd,
            region: self.region(of: visit), requestor: requestor.id, logos: self.settings.logos)
        return Page(
            "provider", of: requestor.id, mayBeCompressed: true,
            choices.values.filled(by: [
                "step": .number(2),
                "code": .text(record.code.text),
                "codeWord": .html(CodeWord.html(record.code)),
                "brand": .foreign(ForeignText(requestor.name)),
                "boxName": .foreign(record.box.name.flatMap { ForeignText($0, limit: 60) }),
                "problem": .phrase(problem.map { Phrase($0) }),
                "formToken": self.formToken(.provider, visit),
                "declineToken": self.formToken(.decline, visit),
            ]))
    }
}

/// The providers of a picker, in the order they are shown.
struct ProviderChoices {
    let providers: [MVPD]
    /// The one the box chose; it comes first.
    let chosen: MVPDID?
    /// The name of the viewer's region; the providers that serve it, and not simply all, come next.
    let region: String?
    /// The requestor whose logos are shown; `nil` on a page of no brand.
    let requestor: RequestorID?
    let logos: LogoShelf

    var values: TemplateValues {
        [
            "providers": .list(self.items),
            "isLong": .flag(self.isLong),
            "letters": .list(
                self.lettered.map { ["letter": .text($0.letter), "anchor": .text(Self.anchor($0.place))] }),
        ]
    }

    /// From here on a list is sorted by name and has letters and a search; a shorter one is as the operator has it.
    private static let longList = 13

    private var isLong: Bool { self.providers.count >= Self.longList }

    /// The one the box chose, then those of the viewer's region, then the others.
    private var ordered: [MVPD] {
        let others = self.providers.filter { $0.id != self.chosen }
        return self.providers.filter { $0.id == self.chosen } + self.sorted(others.filter(self.isNear))
            + self.sorted(others.filter { !self.isNear($0) })
    }

    private func sorted(_ providers: [MVPD]) -> [MVPD] {
        guard self.isLong else { return providers }
        return providers.map { ($0, SortedName($0.displayName)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private func isNear(_ provider: MVPD) -> Bool { provider.isLocal(to: self.region) }

    /// The place in ``ordered`` at which each letter begins, behind those that come first for another reason.
    private var lettered: [(letter: String, place: Int)] {
        guard self.isLong else { return [] }
        var letters: [(letter: String, place: Int)] = []
        for (place, provider) in self.ordered.enumerated() where !self.isFirst(provider) {
            let letter = SortedName(provider.displayName).letter
            if letters.last?.letter != letter { letters.append((letter, place)) }
        }
        return letters
    }

    private func isFirst(_ provider: MVPD) -> Bool { provider.id == self.chosen || self.isNear(provider) }

    private static func anchor(_ place: Int) -> String { "provider-\(place)" }

    private var items: [TemplateValues] {
        let anchors = Set(self.lettered.map(\.place))
        return self.ordered.enumerated().map { place, provider in
            var values = ProviderMark.values(of: provider, self.logos.picture(of: provider.id, for: self.requestor))
            values["id"] = .text(provider.id.text)
            values["name"] = .foreign(ForeignText(provider.displayName))
            values["chosen"] = .flag(provider.id == self.chosen)
            values["near"] = .flag(provider.id != self.chosen && self.isNear(provider))
            values["anchor"] = anchors.contains(place) ? .text(Self.anchor(place)) : .absent
            return values
        }
    }
}

/// A provider's picture, or its initials.
enum ProviderMark {
    /// - Parameter logo: a picture that this server keeps. Any other would tell a third party who is signing in where.
    static func values(of provider: MVPD, _ logo: Picture?) -> TemplateValues {
        let words = provider.displayName.split { !$0.isLetter && !$0.isNumber }
        let initials = words.prefix(2).compactMap { $0.first?.uppercased() }.joined()
        return ["logo": .optional(logo?.path), "initials": .text(initials)]
    }
}

/// A code within a sentence: grouped as on the TV, never broken over two lines, and from left to right in every
/// language.
enum CodeWord {
    static func html(_ code: RegistrationCodeText) -> HTML {
        HTML(unescaped: "<bdi class=\"code-word\" dir=\"ltr\">\(HTML(escaping: code.grouped).markup)</bdi>")
    }
}

/// A name as a list sorts it: by letters without their accents, digits before letters, whatever the case.
struct SortedName: Comparable, Sendable {
    private let key: String

    init(_ name: String) {
        let letters = name.unicodeScalars.lazy.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        self.key = letters.map(Self.plain).joined()
    }

    /// The letter that the name stands under; `#` for digits and for names without any letter.
    var letter: String {
        guard let first = self.key.first, first.isLetter else { return "#" }
        return first.uppercased()
    }

    static func < (one: SortedName, other: SortedName) -> Bool { one.key < other.key }

    /// A letter in lower case and without its accent, which its name in Unicode tells.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        if scalar.isASCII { return String(scalar).lowercased() }
        let words = (scalar.properties.name ?? "").split(separator: " ")
        guard words.count > 3, words[0] == "LATIN", words[2] == "LETTER", let letter = words.dropFirst(3).first,
            letter.utf8.count <= 2
        else { return scalar.properties.lowercaseMapping }
        return letter.lowercased()
    }
}
