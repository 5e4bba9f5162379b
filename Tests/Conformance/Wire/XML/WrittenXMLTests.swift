import Clientless
import ServerAPI
import TestSupport
import Testing

@Suite("What the XML writer writes", .timeLimit(.minutes(5)))
struct WrittenXMLTests {
    @Test("libxml2 reads back equal, whatever the texts", arguments: EveryCase.sample([1, 2, 3, 4] as [UInt64]))
    func readBack(seed: UInt64) async throws {
        var trees = RandomTrees(seed: seed)
        let samples = (0..<1000).map { _ in trees.next() }
        let read = try await CanonicalXML.read(samples.map { $0.document.bytes(.xml) })
        var texts = 0
        for (sample, element) in zip(samples, read) where sample.expected != element {
            Issue.record("seed \(seed): \(sample.expected)\nwas read as \(element)")
        }
        for element in read { texts += element.count { !$0.text.isEmpty } }
        #expect(texts > 5000, "the documents hold texts")
        #expect(Set(read).count > 900, "the documents differ")
    }

    @Test func `is on one line as far as markup goes, and has no white space between elements`() {
        var trees = RandomTrees(seed: 9)
        for _ in 0..<500 {
            let text = String(decoding: trees.next(texts: { _ in "x" }).document.bytes(.xml), as: UTF8.self)
            #expect(!text.contains(#/>\s/#) && !text.contains(#/\s</#), "\(text)")
        }
    }

    @Test func `would be found out if it were not well formed, or said something else`() async throws {
        var trees = RandomTrees(seed: 3)
        let sample = trees.next(texts: { _ in "a<b" })
        let bytes = sample.document.bytes(.xml)
        #expect(try await CanonicalXML.read([bytes]) == [sample.expected])
        let broken = String(decoding: bytes, as: UTF8.self).replacing("&lt;", with: "<")
        await #expect(throws: CanonicalXML.Refused.self) { try await CanonicalXML.read([Array(broken.utf8)]) }
        let changed = String(decoding: bytes, as: UTF8.self).replacing("&lt;", with: "&gt;")
        #expect(try await CanonicalXML.read([Array(changed.utf8)]) != [sample.expected])
    }
}

extension CanonicalXML.Element {
    /// How many elements of the tree are like that.
    fileprivate func count(where isCounted: (CanonicalXML.Element) -> Bool) -> Int {
        self.children.reduce(isCounted(self) ? 1 : 0) { $0 + $1.count(where: isCounted) }
    }
}

/// Random documents of the wire, each with the elements a reader must find in it.
private struct RandomTrees {
    private static let names = ["a", "b", "authentication", "expires", "userId", "n-1", "x.y", "_z"]

    struct Sample {
        let document: WireDocument
        let expected: CanonicalXML.Element
    }

    private var random: AwkwardText

    init(seed: UInt64) { self.random = AwkwardText(seed: seed) }

    /// - Parameter texts: what a text is replaced by; without it, awkward ones stay as they are.
    mutating func next(texts replace: (String) -> String = { $0 }) -> Sample {
        // The one root in a namespace that there is, or none.
        let isQualified = self.random.number(in: 0...3) == 0
        var (members, expected) = self.object(name: isQualified ? "ns2:root" : "root", depth: 0, replace)
        if isQualified { expected.attributes["xmlns:ns2"] = "urn:a" }
        let name = isQualified ? XMLName("root", prefix: "ns2", uri: "urn:a") : "root"
        return Sample(document: WireDocument(name) { [members] _ in .object(members) }, expected: expected)
    }

    private mutating func object(
        name: String, depth: Int, _ replace: (String) -> String
    ) -> ([JSONValue.Member], CanonicalXML.Element) {
        var members: [JSONValue.Member] = []
        var element = CanonicalXML.Element(name)
        for index in 0..<self.random.number(in: 0...2) {
            let value = replace(self.random.next())
            members.append(.init("@at\(index)", .string(value)))
            element.attributes["at\(index)"] = Self.carried(value)
        }
        for _ in 0..<self.random.number(in: 1...5) {
            let name = Self.names[self.random.number(in: 0...Self.names.count - 1)]
            let (value, read) = self.value(name: name, depth: depth + 1, replace)
            members.append(.init(name, value))
            element.children += read
        }
        return (members, element)
    }

    private mutating func value(
        name: String, depth: Int, _ replace: (String) -> String
    ) -> (JSONValue, [CanonicalXML.Element]) {
        switch self.random.number(in: 0...(depth < 6 ? 11 : 7)) {
        case 0: return (.null, [])
        case 1:
            let number = Int64(self.random.number(in: .min ... .max))
            return (.integer(number), [CanonicalXML.Element(name, text: CanonicalXML.Text("\(number)"))])
        case 2: return (.boolean(true), [CanonicalXML.Element(name, text: "true")])
        case 3...7:
            let text = replace(self.random.next())
            return (.string(text), [CanonicalXML.Element(name, text: Self.carried(text))])
        case 8...10:
            let (members, element) = self.object(name: name, depth: depth, replace)
            return (.object(members), [element])
        default:
            var (values, elements): ([JSONValue], [CanonicalXML.Element]) = ([], [])
            for _ in 0..<self.random.number(in: 0...3) {
                let (value, read) = self.value(name: name, depth: depth + 1, replace)
                values.append(value)
                elements += read
            }
            return (.array(values), elements)
        }
    }

    /// The text without what XML 1.0 has no way to write (2.2, `Char`).
    private static func carried(_ text: String) -> CanonicalXML.Text {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
            default: false
            }
        }
        return CanonicalXML.Text(String(String.UnicodeScalarView(kept)))
    }
}
