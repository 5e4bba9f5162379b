/// What a node tells others of guesses of codes.
package struct GuessNotes: LimitNotes, Hashable {
    /// Who guessed wrong.
    struct Source: Hashable, Codable, Sendable {
        let guesser: Guesser
        /// ``Guess/takesAddress``.
        let takesAddress: Bool
    }

    /// Who paired a box.
    struct Success: Hashable, Codable, Sendable {
        let guesser: Guesser
        let account: String
    }

    /// A code that was issued to a box.
    struct Issued: Hashable, Codable, Sendable {
        let code: [UInt8]
        let address: NetworkAddress
        /// By the uptime of the node that tells it; once taken, how long it lives still, in milliseconds.
        var end: Int64
    }

    /// The most that are told at once; what is beyond them is known at this node alone.
    private static let mostSuccesses = 256
    private static let mostIssued = 1024

    var wrong = NotedCounts<Source>()
    private(set) var successes: [Success] = []
    private(set) var issued: [Issued] = []

    package init() {}

    package var isEmpty: Bool { self.wrong.isEmpty && self.successes.isEmpty && self.issued.isEmpty }

    package mutating func takeSheet() -> Self {
        var sheet = self
        self = Self()
        self.wrong = sheet.wrong
        sheet.wrong = self.wrong.takeSheet()
        return sheet
    }

    mutating func noteWrong(_ guess: Guess) {
        var guesser = guess.guesser
        // Only a success is remembered by the box.
        guesser.box = nil
        self.wrong.add(Source(guesser: guesser, takesAddress: guess.takesAddress))
    }

    mutating func noteSuccess(_ success: Success) {
        if self.successes.count < Self.mostSuccesses { self.successes.append(success) }
    }

    mutating func noteIssued(_ code: Issued) {
        if self.issued.count < Self.mostIssued { self.issued.append(code) }
    }

    /// Says of each issued code how long it lives, in place of when it ends.
    mutating func countLives(from uptime: Duration) {
        for index in self.issued.indices { self.issued[index].end -= uptime.milliseconds }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        self.components.seconds * 1000 + self.components.attoseconds / 1_000_000_000_000_000
    }
}
