import Clientless
import FoundationEssentials

/// When a box asked, as a person reads it.
struct AskedTime: Hashable, Sendable {
    let asked: Timestamp
    let now: Timestamp

    /// `3 minutes ago`, in whole units, rounded down.
    var ago: Phrase {
        let seconds = max(0, (self.now - self.asked).wholeMilliseconds / 1000)
        switch seconds {
        case ..<60: return Phrase(.agoNow)
        case ..<3600: return Phrase(.agoMinutes, ["count": .number(Int(seconds / 60))])
        default: return Phrase(.agoHours, ["count": .number(Int(seconds / 3600))])
        }
    }

    /// As near as a list needs it: how long ago within a day, else the day.
    var agoOrDay: Phrase {
        self.now - self.asked < .seconds(24 * 3600) ? self.ago : CalendarDay(self.asked).phrase
    }

    /// `2026-01-01T14:32:00Z`.
    var instant: String {
        Date(timeIntervalSince1970: Double(self.asked.seconds)).formatted(.iso8601)
    }

    /// `14:32 UTC`, with the date when that was not today: the viewer's time zone is the browser's secret, and its
    /// script may put the viewer's own time in place of this.
    var clock: Phrase {
        let time = TemplateValue.text(String(self.instant.dropFirst(11).prefix(5)))
        let day = CalendarDay(self.asked)
        guard day != CalendarDay(self.now) else { return Phrase(.clock, ["time": time]) }
        return Phrase(.datedClock, ["date": .phrase(day.phrase), "time": time])
    }
}
