import Clientless
import TextCoding

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
    var agoOrDay: Phrase { self.now - self.asked < .seconds(24 * 3600) ? self.ago : CivilDate(self.asked).phrase }

    /// `14:32 UTC`, with the date when that was not today: the viewer's time zone is the browser's secret, and its
    /// script may put the viewer's own time in place of this.
    var clock: Phrase {
        let time = TemplateValue.text(String(self.asked.timeText.dropFirst(11).prefix(5)))
        let day = CivilDate(self.asked)
        guard day != CivilDate(self.now) else { return Phrase(.clock, ["time": time]) }
        return Phrase(.datedClock, ["date": .phrase(day.phrase), "time": time])
    }
}

/// How long a viewer has to wait, in words and in whole units, rounded up: trying at the time told works.
enum WaitingTime {
    static func phrase(_ duration: Duration) -> Phrase {
        let seconds = self.wholeSeconds(duration)
        switch seconds {
        case ...90: return Phrase(.retryInSeconds, ["count": .number(seconds)])
        case ...5400: return Phrase(.retryInMinutes, ["count": .number((seconds + 59) / 60)])
        default: return Phrase(.retryInHours, ["count": .number((seconds + 3599) / 3600)])
        }
    }

    /// The value of `Retry-After`: at least one.
    static func wholeSeconds(_ duration: Duration) -> Int { max(1, Int((duration.wholeMilliseconds + 999) / 1000)) }
}

extension CivilDate {
    /// The day of a moment (UTC).
    init(_ moment: Timestamp) { self.init(daysSinceEpoch: moment.seconds / 86_400) }

    /// The day as a person reads it, in the order and with the month's name of their language.
    var phrase: Phrase {
        Phrase(
            self.day == 1 ? .firstOfMonth : .date,
            [
                "day": .number(Int(self.day)), "month": .phrase(Phrase(key: "month.\(self.month)")),
                "year": .number(Int(self.year)),
            ])
    }
}
