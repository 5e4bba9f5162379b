import Clientless
import Entitlement
import FoundationEssentials
import Testing

@Suite("A moment in the calendar")
struct CivilTimeTests {
    @Test func `is what the system's calendar says, over six hundred years`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // A prime number of hours apart, so that all hours and days come by.
        for hours in stride(from: Int64(-876_000), to: 4_380_000, by: 9973) {
            let date = Date(timeIntervalSince1970: Double(hours) * 3600)
            let parts = calendar.dateComponents([.year, .month, .day, .hour], from: date)
            let read = CivilTime(hours: hours)
            #expect(
                [read.year, read.month, read.day, read.hour].map(Int.init) == [
                    parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? -1,
                ])
        }
    }

    @Test func `is read to the second, and from any beginning of one`() {
        func seconds(_ text: String) -> Int64? { CivilTime.moment(text)?.seconds }
        #expect(seconds("1970") == 0 && seconds("1970-01-01T00:00:01") == 1)
        #expect(seconds("2026") == 1_767_225_600 && seconds("2026-01-01T00:00:00Z") == 1_767_225_600)
        #expect(seconds("2024-02-29T23:59:59") == 1_709_251_199)
        #expect(seconds("2026-01-31T20") == seconds("2026-01-31T20:00:00") && seconds("2026-02") == 1_769_904_000)
    }

    @Test(arguments: [
        "", "26", "2026-", "2026-1", "2026-00", "2026-13", "2026-02-29", "2026-04-31", "2026-01-01T24",
        "2026-01-01T00:60", "2026-01-01 00:00", "2026-01-01T00:00:00+01", "2026Z", "1969", "２０２６",
        "2026-01-01T00:00:00.000Z",
    ])
    func `is nothing else`(_ text: String) { #expect(CivilTime.moment(text) == nil) }
}
