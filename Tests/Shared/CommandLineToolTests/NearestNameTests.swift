import CommandLineTool
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    @Test(arguments: [
        ("sevre", "serve"), ("SERVE", "serve"), ("demos", "DEMO"), ("DEMO", "DEMO"), ("stats", "status"),
    ])
    func `is the one with the fewest slips, whatever the case`(word: String, expected: String) {
        #expect(nearestName(to: word, among: ["serve", "status", "DEMO"]) == expected)
    }

    @Test func `is none when more than a third of the letters differ, or nothing is there to choose from`() {
        #expect(nearestName(to: "backup", among: ["serve", "status"]) == nil)
        #expect(nearestName(to: "serve", among: []) == nil)
        #expect(nearestName(to: String(repeating: "a", count: 65), among: [String(repeating: "a", count: 64)]) == nil)
    }
}
