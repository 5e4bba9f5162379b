import Clientless
import FoundationEssentials

/// A day of the calendar (UTC), as a person reads it: in the order and with the month's name of their language.
struct CalendarDay: Hashable, Sendable {
    let year: Int
    /// 1 to 12.
    let month: Int
    let day: Int

    init(_ moment: Timestamp) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(moment.seconds))
        self.year = calendar.component(.year, from: date)
        self.month = calendar.component(.month, from: date)
        self.day = calendar.component(.day, from: date)
    }

    /// `23 November 2026`.
    var phrase: Phrase {
        Phrase(
            self.day == 1 ? .firstOfMonth : .date,
            [
                "day": .number(self.day), "month": .phrase(Phrase(key: "month.\(self.month)")),
                "year": .number(self.year),
            ])
    }
}
