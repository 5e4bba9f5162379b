import Clientless
import Entitlement
import HTTPServer
import Places
import TextCoding

extension SecondScreen {
    /// Asks a viewer at which provider they sign in to see their boxes.
    func boxesPicker(_ visit: Visit, problem: PhraseKey?) -> Page {
        let choices = ProviderChoices(
            providers: self.domain.catalogue.mvpdsOfViewers, chosen: nil, region: self.region(of: visit),
            requestor: nil, logos: self.settings.logos)
        return Page(
            "boxes-sign-in", mayBeCompressed: true,
            choices.values.filled(by: [
                "problem": .phrase(problem.map { Phrase($0) }), "formToken": self.formToken(.boxes, visit),
            ]))
    }

    /// The boxes that a viewer is signed in on.
    /// - Parameter news: the last step of the viewer.
    func boxesPage(
        _ viewer: Viewer, _ view: LoginView, _ token: String, _ visit: Visit, news: Phrase?, problem: PhraseKey?
    ) async throws -> Page {
        let (boxes, hasMore) = try await self.domain.boxes.list(of: viewer, now: visit.now)
        return Page(
            "boxes", mayBeCompressed: true,
            [
                "provider": .foreign(ForeignText(view.mvpd.displayName)),
                "count": .number(boxes.count),
                "boxes": .list(boxes) { self.values(of: $0, now: visit.now) },
                "allPath": boxes.count > 1 ? .text(ScreenPath.allBoxes(token)) : .absent,
                "hasMore": .flag(hasMore),
                "news": .phrase(news),
                "problem": .phrase(problem.map { Phrase($0) }),
                "attempt": .text(token),
                "formToken": self.formToken(.boxes, visit),
            ])
    }

    private func values(of box: OwnBox, now: Timestamp) -> TemplateValues {
        [
            "handle": .text(box.handle.description),
            "boxName": .foreign(box.name.flatMap { ForeignText($0) }),
            "model": .foreign(box.model.flatMap { ForeignText($0) }),
            "network": .phrase(self.network(of: box.network)),
            "place": .phrase(self.place(of: box.network)),
            "brands": .list(box.requestors) { ["brandName": .foreign(ForeignText(self.name(of: $0)))] },
            "seen": .phrase(box.seen.map { AskedTime(asked: $0, now: now).agoOrDay }),
            "since": .phrase(CivilDate(box.since).phrase),
            "until": .phrase(CivilDate(box.until).phrase),
            "isReadOut": .flag(box.isReadOut),
        ]
    }

    /// The page that a message about a new box leads to: the box, and "This was not me".
    /// - Parameters:
    ///   - found: `nil` when it is signed out by now, or was never signed in.
    ///   - wasEnded: the viewer said that it was not they, and the box is signed out.
    func noticePage(
        _ notice: String, _ found: (box: KeptBox, signIn: AuthNRecord)?, _ visit: Visit, wasEnded: Bool
    ) -> Page {
        let (box, signIn) = (found?.box, found?.signIn)
        let provider = signIn.map { self.domain.catalogue.mvpd($0.mvpd)?.displayName ?? $0.mvpd.text }
        return Page(
            "new-box", mayBeCompressed: true,
            [
                "isThere": .flag(box != nil && !wasEnded),
                "wasEnded": .flag(wasEnded),
                "boxName": .foreign(box?.name.flatMap { ForeignText($0) }),
                "model": .foreign(box?.model.flatMap { ForeignText($0) }),
                "network": .phrase(self.network(of: box?.network)),
                "place": .phrase(self.place(of: box?.network)),
                "provider": .foreign(provider.flatMap { ForeignText($0) }),
                "brand": .foreign(signIn.flatMap { ForeignText(self.name(of: $0.requestor)) }),
                "since": .phrase(signIn.map { AskedTime(asked: $0.created, now: visit.now).agoOrDay }),
                "notice": .text(notice),
                "formToken": self.formToken(.boxNotice, visit),
            ])
    }

    private func name(of requestor: RequestorID) -> String {
        self.domain.catalogue.requestor(requestor)?.name ?? requestor.text
    }

    private func network(of address: String?) -> Phrase? {
        Nearness(box: address.flatMap { IPAddress($0) }, viewer: nil).network
    }

    private func place(of address: String?) -> Phrase? {
        address.flatMap { IPAddress($0) }.flatMap { self.settings.places.place(of: $0)?.phrase }
    }
}
