import Clientless
import TestSupport
import Testing

@Suite("XML text, read by another parser", .timeLimit(.minutes(5)))
struct WrittenXMLTextTests {
    @Test("comes back equal from elements and from attributes in either quotes", arguments: [11, 12] as [UInt64])
    func readBack(seed: UInt64) async throws {
        var random = AwkwardText(seed: seed)
        let texts = (0..<1500).map { _ in random.next() }
        let documents = texts.map { text in
            let escaped = XMLText.escaped(text)
            return Array("<r a=\"\(escaped)\" b='\(escaped)'>\(escaped)</r>".utf8)
        }
        for (text, element) in zip(texts, try await CanonicalXML.read(documents)) {
            let kept = text.unicodeScalars.filter { XMLText.canCarry(String($0)) }
            let carried = CanonicalXML.Text(String(String.UnicodeScalarView(kept)))
            let expected = CanonicalXML.Element("r", attributes: ["a": carried, "b": carried], text: carried)
            #expect(element == expected)
        }
        #expect(texts.contains { !XMLText.canCarry($0) } && texts.contains { $0.utf8.count > 20_000 })
    }

    @Test func `makes documents of tokens that another parser reads the same resource from`() async throws {
        var random = AwkwardText(seed: 13)
        var resources: [Resource] = []
        var documents: [[UInt8]] = []
        while resources.count < 500 {
            guard let resource = Resource(random.next()), XMLText.canCarry(resource.text) else { continue }
            resources.append(resource)
            documents.append(Array(try TokenDocumentTests.media(resource.text).element().utf8))
        }
        for (resource, element) in zip(resources, try await CanonicalXML.read(documents)) {
            #expect(element.children.first { $0.name == "resourceID" }?.text == CanonicalXML.Text(resource.text))
        }
    }
}
