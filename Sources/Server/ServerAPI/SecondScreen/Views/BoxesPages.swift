import Clientless
import Entitlement
import HTTPServer
import Places

/// Asks a viewer at which provider they sign in to see their boxes.
struct BoxesSignInPage: Page {
    static let template = "boxes-sign-in"
    var mayBeCompressed: Bool { true }

    let providers: [MVPD]
    /// The name of the viewer's region; the providers that serve it come first.
    let region: String?
    let logos: LogoShelf
    let problem: PhraseKey?
    let formToken: String

    var values: TemplateValues {
        let choices = ProviderChoices(
            providers: self.providers, chosen: nil, region: self.region, requestor: nil, logos: self.logos)
        return choices.values.filled(by: [
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "formToken": .text(self.formToken),
        ])
    }
}

/// The boxes that a viewer is signed in on.
struct BoxesPage: Page {
    static let template = "boxes"
    var mayBeCompressed: Bool { true }

    let boxes: [OwnBox]
    let hasMore: Bool
    let catalogue: Catalogue
    let places: PlaceBook
    let provider: MVPD
    /// The last step of the viewer.
    let news: Phrase?
    let problem: PhraseKey?
    let token: String
    let formToken: String
    let now: Timestamp

    var values: TemplateValues {
        [
            "provider": .foreign(ForeignText(self.provider.displayName)),
            "count": .number(self.boxes.count),
            "boxes": .list(self.boxes.map { self.values(of: $0) }),
            "allPath": self.boxes.count > 1 ? .text(ScreenPath.allBoxes(self.token)) : .absent,
            "hasMore": .flag(self.hasMore),
            "news": .phrase(self.news),
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "attempt": .text(self.token),
            "formToken": .text(self.formToken),
        ]
    }

    private func values(of box: OwnBox) -> TemplateValues {
        let address = box.network.flatMap { IPAddress($0) }
        let seen = box.seen.map { BoxMoment($0, now: self.now) }
        let brands: [TemplateValues] = box.requestors.map { requestor in
            ["brandName": .foreign(ForeignText(self.catalogue.requestor(requestor)?.name ?? requestor.text))]
        }
        return [
            "handle": .text(box.handle.description),
            "boxName": .foreign(box.name.flatMap { ForeignText($0) }),
            "model": .foreign(box.model.flatMap { ForeignText($0) }),
            "network": .phrase(Nearness(box: address, viewer: nil).network),
            "place": .phrase(address.flatMap { self.places.place(of: $0)?.phrase }),
            "brands": .list(brands),
            "seen": .phrase(seen?.phrase),
            "since": .phrase(CalendarDay(box.since).phrase),
            "until": .phrase(CalendarDay(box.until).phrase),
            "isReadOut": .flag(box.isReadOut),
        ]
    }
}

/// Asks whether all boxes are to be signed out.
struct SignOutAllPage: Page {
    static let template = "boxes-all"
    var mayBeCompressed: Bool { true }

    let token: String
    let formToken: String

    var values: TemplateValues {
        [
            "attempt": .text(self.token), "formToken": .text(self.formToken),
            "boxesPath": .text(ScreenPath.boxes(self.token)),
        ]
    }
}

/// A moment in the past, as near as a list needs it: how long ago within a day, else the day.
struct BoxMoment: Hashable, Sendable {
    private let moment: Timestamp
    private let now: Timestamp

    init(_ moment: Timestamp, now: Timestamp) {
        self.moment = moment
        self.now = now
    }

    var phrase: Phrase {
        self.now - self.moment < .seconds(24 * 3600)
            ? AskedTime(self.moment, now: self.now).ago : CalendarDay(self.moment).phrase
    }
}

/// The content of a message about a new box leads to: the box, and "This was not me".
struct NewBoxPage: Page {
    static let template = "new-box"
    var mayBeCompressed: Bool { true }

    /// `nil` when it is signed out by now, or was never signed in.
    let box: NoticedBox?
    let catalogue: Catalogue
    let places: PlaceBook
    /// The viewer said that it was not they, and the box is signed out.
    let wasEnded: Bool
    let notice: String
    let formToken: String
    let now: Timestamp

    var values: TemplateValues {
        let address = self.box?.network.flatMap { IPAddress($0) }
        let provider = self.box.map { self.catalogue.mvpd($0.provider)?.displayName ?? $0.provider.text }
        let brand = self.box.map { self.catalogue.requestor($0.requestor)?.name ?? $0.requestor.text }
        let asked = self.box.map { BoxMoment($0.since, now: self.now) }
        return [
            "isThere": .flag(self.box != nil && !self.wasEnded),
            "wasEnded": .flag(self.wasEnded),
            "boxName": .foreign(self.box?.name.flatMap { ForeignText($0) }),
            "model": .foreign(self.box?.model.flatMap { ForeignText($0) }),
            "network": .phrase(Nearness(box: address, viewer: nil).network),
            "place": .phrase(address.flatMap { self.places.place(of: $0)?.phrase }),
            "provider": .foreign(provider.flatMap { ForeignText($0) }),
            "brand": .foreign(brand.flatMap { ForeignText($0) }),
            "since": .phrase(asked?.phrase),
            "notice": .text(self.notice),
            "formToken": .text(self.formToken),
        ]
    }
}
