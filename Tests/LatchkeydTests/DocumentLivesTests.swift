import Clientless
import Testing
import latchkeyd

@Suite("The longest life of a token document")
struct DocumentLivesTests {
    private let start = Timestamp(seconds: 1_800_000_000)
    private let day: Duration = .seconds(86_400)

    @Test("stays that of a longer configuration until what was signed under it is over")
    func shortened() {
        var lives = DocumentLives(self.day * 30)
        lives.take(self.day, at: self.start)
        #expect(lives.longest(at: self.start) == self.day * 30)
        let end = self.start + self.day * 30 + .seconds(300)
        #expect(lives.longest(at: end) == self.day * 30)
        #expect(lives.longest(at: end + .milliseconds(1)) == self.day)
        // A second shortening, and then a longer life than all: nothing former counts.
        lives.take(.seconds(60), at: self.start + self.day)
        #expect(lives.longest(at: end + .seconds(1)) == .seconds(60))
        lives.take(self.day * 60, at: self.start + self.day)
        #expect(lives.longest(at: self.start + self.day) == self.day * 60)
        #expect(lives.longest(at: self.start + self.day * 1000) == self.day * 60)
    }

    @Test("forgets former ones that are over")
    func forgetting() {
        var lives = DocumentLives(self.day)
        lives.take(.seconds(1), at: self.start)
        lives.take(.seconds(1), at: self.start + self.day * 2)
        #expect(lives == DocumentLives(.seconds(1)))
    }

    @Test("counts trials, too")
    func trials() throws {
        let text = smallConfiguration.replacing(
            "providers: [",
            with: "providers: [{ id: \"Trial\", name: \"Free preview\", kind: \"temporaryPass\", "
                + "trial: { lifetime: \"90d\" } }, ")
        #expect(DocumentLives.longest(of: try configuration(text).catalogue) == self.day * 90)
        #expect(DocumentLives.longest(of: try configuration(smallConfiguration).catalogue) < self.day * 90)
    }
}
