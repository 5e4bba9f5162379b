import Clientless
import Entitlement
import HTTPServer
import Places
import TextCoding

extension SecondScreen {
    /// Asks whether the box is in front of the viewer: the guard against a link with a stranger's code.
    /// - Parameter way: how the viewer says that they know the box.
    func confirmPage(
        _ view: LoginView, _ token: String, _ visit: Visit, _ way: ConfirmationWay, problem: PhraseKey? = nil,
        status: HTTPStatus = .ok
    ) async throws -> ScreenAnswer {
        // Only a login that waits for this page has the stage that leads here.
        guard let promise = try await self.domain.logins.promise(of: view, now: visit.now)
        else { throw Problem(.session) }
        let record = view.record
        let box = IPAddress(record.box.address)
        let viewer = self.addresses.knowsAddress(of: visit.request) ? visit.address : nil
        let nearness = Nearness(box: box, viewer: viewer)
        let asked = AskedTime(asked: record.life.generated, now: visit.now)
        // The viewer may not have been asked who they are.
        let offersOther = view.attempt.origin == .secondScreen && self.mayBeRecent(visit)
        let page = Page(
            "confirm", of: view.requestor.id, mayBeCompressed: true,
            [
                "code": .text(record.code.grouped),
                "name": .foreign(record.box.name.flatMap { ForeignText($0) }),
                "model": .foreign(Self.model(of: record)),
                "ago": .phrase(asked.ago),
                "instant": .text(record.life.generated.timeText),
                "clock": .phrase(asked.clock),
                "network": .phrase(nearness.network),
                "place": .phrase(box.flatMap { self.settings.places.place(of: $0)?.phrase }),
                "nearness": .phrase(nearness.sentence.map { Phrase($0) }),
                "sameNetwork": .flag(nearness.sentence == .sameNetwork),
                "grant": .phrase(promise.phrase(view.requestor, at: view.mvpd, now: visit.now)),
                "problem": .phrase(problem.map { Phrase($0) }),
                "isReadOut": .flag(way == .readOut),
                "readOutPath": .optional(way == .inFront && view.mayBeReadOut ? ScreenPath.confirmReadOut(token) : nil),
                "otherPath": .optional(offersOther ? ScreenPath.provider(of: record.code) + "&other=yes" : nil),
                "inFrontPath": .text(ScreenPath.confirm(token)),
                "attempt": .text(token),
                "formToken": self.formToken(.confirm, visit),
            ])
        return self.page(page, for: view, token, status: status, takesPassword: false)
    }

    /// The kind of a box; one that says it does not know has not told.
    private static func model(of record: RegistrationRecord) -> ForeignText? {
        [record.box.model, record.request.deviceType].compactMap { $0 }.first { $0.lowercased() != "unknown" }.flatMap {
            ForeignText($0)
        }
    }
}

extension LoginPromise {
    /// The consequence of confirming, as a viewer reads it: with its end.
    func phrase(_ requestor: Requestor, at mvpd: MVPD, now: Timestamp) -> Phrase {
        let brand = TemplateValue.foreign(ForeignText(requestor.name))
        switch self {
        case .account(let end):
            return Phrase(
                .grant,
                [
                    "brand": brand, "provider": .foreign(ForeignText(mvpd.displayName)),
                    "period": .phrase(Self.period(until: end, now)),
                ])
        case .trial(let end):
            return Phrase(.preview, ["brand": brand, "period": .phrase(Self.period(until: end, now))])
        case .trialIsOver: return Phrase(.previewUsedUp, ["brand": brand])
        }
    }

    /// `until 23 December 2026`, or, where that is within two days, how long it is, to the nearest unit.
    private static func period(until end: Timestamp, _ now: Timestamp) -> Phrase {
        let minutes = max(1, ((end - now).wholeMilliseconds + 30_000) / 60_000)
        switch minutes {
        case ..<120: return Phrase(.periodMinutes, ["count": .number(Int(minutes))])
        case ..<2880: return Phrase(.periodHours, ["count": .number(Int((minutes + 30) / 60))])
        default: return Phrase(.periodUntil, ["date": .phrase(CivilDate(end).phrase)])
        }
    }
}
