import Clientless
import Entitlement
import HTTPServer
import Places

/// Asks whether the box is in front of the viewer: the guard against a link with a stranger's code.
struct ConfirmPage: Page {
    static let template = "confirm"
    var mayBeCompressed: Bool { true }

    let view: LoginView
    /// The consequence of confirming.
    let promise: LoginPromise
    /// How the viewer says that they know the box.
    let way: ConfirmationWay
    let problem: PhraseKey?
    let token: String
    let places: PlaceBook
    /// The address of the viewer's browser; `nil` when that is not known.
    let viewer: IPAddress?
    /// Whether the viewer may not have been asked who they are.
    let offersOther: Bool
    let formToken: String
    let now: Timestamp

    var ownBrand: RequestorID? { self.view.requestor.id }

    var values: TemplateValues {
        let record = self.view.record
        let box = IPAddress(record.box.address)
        let nearness = Nearness(box: box, viewer: self.viewer)
        let asked = AskedTime(record.life.generated, now: self.now)
        let grant = Grant(
            promise: self.promise, requestor: self.view.requestor, mvpd: self.view.mvpd, now: self.now)
        let offersReadOut = self.way == .inFront && self.view.mayBeReadOut
        let readOutPath: TemplateValue = offersReadOut ? .text(ScreenPath.confirmReadOut(self.token)) : .absent
        return [
            "code": .text(record.code.grouped),
            "name": .foreign(record.box.name.flatMap { ForeignText($0) }),
            "model": .foreign(Self.model(of: record)),
            "ago": .phrase(asked.ago),
            "instant": .text(asked.instant),
            "clock": .phrase(asked.clock),
            "network": .phrase(nearness.network),
            "place": .phrase(box.flatMap { self.places.place(of: $0)?.phrase }),
            "nearness": .phrase(nearness.sentence.map { Phrase($0) }),
            "sameNetwork": .flag(nearness.standing == .same),
            "grant": .phrase(grant.phrase),
            "problem": .phrase(self.problem.map { Phrase($0) }),
            "isReadOut": .flag(self.way == .readOut),
            "readOutPath": readOutPath,
            "otherPath": self.offersOther ? .text(ScreenPath.provider(of: record.code)) : .absent,
            "inFrontPath": .text(ScreenPath.confirm(self.token)),
            "attempt": .text(self.token),
            "formToken": .text(self.formToken),
        ]
    }

    /// The kind of a box; one that says it does not know has not told.
    private static func model(of record: RegistrationRecord) -> ForeignText? {
        [record.box.model, record.deviceType].compactMap { $0 }.first { $0.lowercased() != "unknown" }.flatMap {
            ForeignText($0)
        }
    }
}
