import Clientless
import Observability
import POSIX
import TestSupport
import Testing

@testable import latchkeyd

@Suite("The longest life of a token document")
struct DocumentLivesTests {
    private let start = Timestamp(seconds: 1_800_000_000)
    private let day: Duration = .seconds(86_400)

    @Test func `stays that of a longer configuration until what was signed under it is over`() {
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

    @Test func `forgets former ones that are over`() {
        var lives = DocumentLives(self.day)
        lives.take(.seconds(1), at: self.start)
        lives.take(.seconds(1), at: self.start + self.day * 2)
        #expect(lives == DocumentLives(.seconds(1)))
    }

    @Test func `is remembered beside the store from one start to the next`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("latchkeyd.sqlite")
        let month = DocumentLivesFile(beside: store).taking(self.day * 30, at: self.start, .silent)
        #expect(month.longest(at: self.start) == self.day * 30)
        let later = self.start + self.day
        let shortened = DocumentLivesFile(beside: store).taking(self.day, at: later, .silent)
        #expect(shortened.longest(at: later) == self.day * 30)
        // The third start knows it from the file alone.
        let again = DocumentLivesFile(beside: store).taking(self.day, at: later + self.day, .silent)
        let end = later + self.day * 30 + .seconds(300)
        #expect(again.longest(at: end) == self.day * 30)
        #expect(again.longest(at: end + .milliseconds(1)) == self.day)
        #expect(PrivateFiles.status(store + "-lives")?.modeText == "0600")
    }

    @Test func `counts trials, too`() throws {
        let text = smallConfiguration.replacing(
            "providers: [",
            with: "providers: [{ id: \"Trial\", name: \"Free preview\", kind: \"temporaryPass\", "
                + "trial: { lifetime: \"90d\" } }, ")
        #expect(DocumentLives.longest(of: try configuration(text).catalogue) == self.day * 90)
        #expect(DocumentLives.longest(of: try configuration(smallConfiguration).catalogue) < self.day * 90)
    }
}
