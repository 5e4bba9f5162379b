import Clientless
import Entitlement

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
        default: return Phrase(.periodUntil, ["date": .phrase(CalendarDay(end).phrase)])
        }
    }
}
