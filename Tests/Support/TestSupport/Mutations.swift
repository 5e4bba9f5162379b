/// Texts that are nearly those of a corpus: bytes flipped, lost, doubled, moved, replaced by awkward ones, or cut.
package struct Mutations: Sequence, IteratorProtocol {
    private let corpus: [[UInt8]]
    private var generator: SeededGenerator
    private var remaining: Int

    private static let awkward: [[UInt8]] =
        [
            "<", ">", "&", "\"", "=", ",", ", ", "%", "+", " ", "\n", "\u{0}", ".", "]]>", "&#0;", "&lt;", "<!--",
            "\u{202E}", "é", "9",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    package init(of corpus: [String], count: Int, seed: UInt64) {
        precondition(!corpus.isEmpty && corpus.allSatisfy { !$0.isEmpty }, "something to change")
        self.corpus = corpus.map { Array($0.utf8) }
        self.generator = SeededGenerator(seed: seed)
        self.remaining = count
    }

    /// The next text. It may happen to be one of the corpus.
    package mutating func next() -> String? {
        guard self.remaining > 0 else { return nil }
        self.remaining -= 1
        var bytes = self.corpus.randomElement(using: &self.generator)!
        for _ in 0..<Int.random(in: 1...3, using: &self.generator) where !bytes.isEmpty { self.change(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0..<bytes.count, using: &self.generator)
        let end = Swift.min(bytes.count, place + Int.random(in: 1...12, using: &self.generator))
        switch Int.random(in: 0..<7, using: &self.generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self.generator)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 3: bytes.insert(contentsOf: Self.awkward.randomElement(using: &self.generator)!, at: place)
        case 4: bytes.replaceSubrange(place..<end, with: Self.awkward.randomElement(using: &self.generator)!)
        case 5: bytes.removeSubrange(place...)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &self.generator))
        }
    }
}
