import Clientless
import Entitlement

/// The consequence of confirming, as a viewer reads it: with its end.
struct Grant: Sendable {
    let promise: LoginPromise
    let requestor: Requestor
    let mvpd: MVPD
    let now: Timestamp

    var phrase: Phrase {
        let brand = TemplateValue.foreign(ForeignText(self.requestor.name))
        switch self.promise {
        case .account(let end):
            return Phrase(
                .grant,
                [
                    "brand": brand, "provider": .foreign(ForeignText(self.mvpd.displayName)),
                    "period": .phrase(self.period(until: end)),
                ])
        case .trial(let end): return Phrase(.preview, ["brand": brand, "period": .phrase(self.period(until: end))])
        case .trialIsOver: return Phrase(.previewUsedUp, ["brand": brand])
        }
    }

    /// `until 23 December 2026`, or, where that is within two days, how long it is, to the nearest unit.
    private func period(until end: Timestamp) -> Phrase {
        let minutes = max(1, ((end - self.now).wholeMilliseconds + 30_000) / 60_000)
        switch minutes {
        case ..<120: return Phrase(.periodMinutes, ["count": .number(Int(minutes))])
        case ..<2880: return Phrase(.periodHours, ["count": .number(Int((minutes + 30) / 60))])
        default: return Phrase(.periodUntil, ["date": .phrase(CalendarDay(end).phrase)])
        }
    }
}
