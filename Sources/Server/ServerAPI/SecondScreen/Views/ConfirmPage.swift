import Clientless
import Entitlement
import HTTPServer

/// Asks whether the box is in front of the viewer: the guard against a link with a stranger's code.
struct ConfirmPage: Page {
    static let template = "confirm"

    let view: LoginView
    let token: String
    /// Where the viewer's browser is.
    let viewer: IPAddress
    let formToken: String
    let now: Timestamp

    var values: [String: TemplateValue] {
        let record = self.view.record
        let nearness = Nearness(box: IPAddress(record.box.address), viewer: self.viewer)
        let asked = AskedTime(record.life.generated, now: self.now)
        return [
            "step": .number(4),
            "code": .text(record.code.grouped),
            "name": .foreign(record.box.name.flatMap { ForeignText($0) }),
            "model": .foreign((record.box.model ?? record.deviceType).flatMap { ForeignText($0) }),
            "software": .foreign(record.box.software.flatMap { ForeignText($0, limit: 96) }),
            "ago": .phrase(asked.ago),
            "instant": .text(asked.instant),
            "clock": .phrase(asked.clock),
            "network": .phrase(nearness.network),
            "nearness": .phrase(Phrase(nearness.sentence)),
            "sameNetwork": .flag(nearness.standing == .same),
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
            "attempt": .text(self.token),
            "formToken": .text(self.formToken),
        ]
    }
}
