import Clientless
import TestSupport
import Testing

@testable import ServerAPI

@Suite("A wire document")
struct WireDocumentTests {
    private func text(_ document: WireDocument, _ format: WireFormat) -> String {
        String(decoding: document.bytes(format), as: UTF8.self)
    }

    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    private struct Inner: Sendable {
        let id = "A&B"
        let nothing: String? = nil
    }

    @Test func `is written in both forms from one shape`() {
        let inner = Shape<Inner>(
            .init("id", \.id), .init("on") { _ in true }, .init("none", orNull: \.nothing),
            .init("left", optional: \.nothing), .init("@visible") { _ in "a\"<&\n" }.inXML)
        let shape = Shape<Inner>(
            .init("n") { _ in -42 }, .init("list", of: inner) { [$0, $0] }, .init("empty") { _ in "" },
            .init("json") { _ in "j" }.inJSON, .init("xml") { _ in "x" }.inXML, .init("nothing") { _ in [String]() })
        let document = WireDocument("config", shape, Inner())
        let json = #"{"id":"A&B","on":true,"none":null}"#
        #expect(
            self.text(document, .json) == #"{"n":-42,"list":[\#(json),\#(json)],"empty":"","json":"j","nothing":[]}"#)
        let xml = "<list visible=\"a&quot;&lt;&amp;&#10;\"><id>A&amp;B</id><on>true</on></list>"
        #expect(
            self.text(document, .xml)
                == Self.declaration + "<config><n>-42</n>\(xml)\(xml)<empty/><xml>x</xml></config>")
    }

    @Test func `may have XML children in another order`() {
        let shape = Shape<Int>([.init("a", \.self), .init("b", \.self)], inXML: ["b", "a"])
        let document = WireDocument("t", shape, 1)
        #expect(self.text(document, .json) == #"{"a":1,"b":1}"#)
        #expect(self.text(document, .xml) == Self.declaration + "<t><b>1</b><a>1</a></t>")
    }

    @Test func `may have a root in a namespace`() {
        let document = WireDocument(XMLName("regcode", prefix: "ns2", uri: "urn:x")) { _ in [:] }
        #expect(self.text(document, .xml) == Self.declaration + "<ns2:regcode xmlns:ns2=\"urn:x\"/>")
    }

    @Test func `escapes what JSON must escape`() {
        let document = WireDocument("t") { _ in ["s": "\"\\/\n\r\t\u{0}\u{1F}\u{7F}é😀"] }
        #expect(self.text(document, .json) == "{\"s\":\"\\\"\\\\/\\n\\r\\t\\u0000\\u001f\\u007fé😀\"}")
    }

    @Test func `drops what XML cannot carry, and keeps the rest`() {
        let document = WireDocument("t") { _ in ["s": "a\u{0}\u{8}\u{B}\u{1F}\u{FFFE}\u{FFFF}b]]>"] }
        #expect(self.text(document, .xml) == Self.declaration + "<t><s>ab]]&gt;</s></t>")
    }

    /// Texts of characters that are hard on writers: markup, white space, line ends, control characters, every plane.
    private static func text(using generator: inout SeededGenerator) -> String {
        let hard = Array(
            "<>&'\"]\r\n\t -éß\u{85}\u{A0}\u{2028}\u{D7FF}\u{E000}\u{FFFD}😀\u{10FFFF}\u{0}\u{1}\u{B}\u{FFFE}"
                .unicodeScalars)
        var text = ""
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            text.unicodeScalars.append(hard[Int.random(in: 0..<hard.count, using: &generator)])
        }
        return text
    }

    /// What is left of a text when what XML 1.0 cannot carry is gone (section 2.2).
    private static func carried(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: result.unicodeScalars.append(scalar)
            default: break
            }
        }
        return result
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func `is read back by xmllint as it was written`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<40).map { _ in Self.text(using: &generator) }
        let document = WireDocument("t") { _ in
            ["s": .array(texts.map { ["v": .string($0), "@a": .string($0)] })]
        }
        let folder = try TemporaryFolder()
        try folder.write(self.text(document, .xml), to: "document.xml")
        // Ends of texts are marked: a pipe's last line has no other.
        let paths = texts.indices.flatMap { ["string(/t/s[\($0 + 1)]/v)", "string(/t/s[\($0 + 1)]/@a)"] }
        let expression = "concat('[', " + paths.joined(separator: ", '¦', ") + ", ']')"
        let (end, output, talk) = try await ChildProcess(
            "xmllint", ["--nonet", "--xpath", expression, folder.file("document.xml")]
        ).run()
        #expect(end == .exited(0), "\(talk)")
        let expected = "[" + texts.flatMap { [Self.carried($0), Self.carried($0)] }.joined(separator: "¦") + "]\n"
        #expect(Array(output.utf8) == Array(expected.utf8))
    }
}
