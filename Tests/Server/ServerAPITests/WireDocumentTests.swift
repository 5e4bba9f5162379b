import TestSupport
import Testing

@testable import ServerAPI

@Suite("A wire document")
struct WireDocumentTests {
    private func text(_ document: WireDocument, _ format: WireFormat) -> String {
        String(decoding: document.bytes(format), as: UTF8.self)
    }

    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    @Test("is written in both forms from one tree")
    func both() {
        let inner = WireObject(
            [.init("id", .string("A&B")), .init("on", .bool(true)), .init("none", .null)],
            attributes: [.init("visible", "a\"<&\n")])
        let document = WireDocument(
            "config",
            WireObject([
                .init("n", .integer(-42)), .init("list", .array([.object(inner), .string("x")])),
                .init("empty", .string("")), .init("json", .string("j"), only: .json),
                .init("xml", .string("x"), only: .xml), .init("nothing", .array([])),
            ]))
        #expect(
            self.text(document, .json)
                == #"{"n":-42,"list":[{"id":"A&B","on":true,"none":null},"x"],"empty":"","json":"j","nothing":[]}"#)
        #expect(
            self.text(document, .xml)
                == Self.declaration
                + "<config><n>-42</n><list visible=\"a&quot;&lt;&amp;&#10;\"><id>A&amp;B</id><on>true</on></list>"
                + "<list>x</list><empty/><xml>x</xml></config>")
    }

    @Test("may have XML children in another order")
    func order() {
        let document = WireDocument(
            "t", WireObject([.init("a", .integer(1)), .init("b", .integer(2))], xmlOrder: ["b", "a"]))
        #expect(self.text(document, .json) == #"{"a":1,"b":2}"#)
        #expect(self.text(document, .xml) == Self.declaration + "<t><b>2</b><a>1</a></t>")
    }

    @Test("may have a root in a namespace")
    func namespace() {
        let document = WireDocument(XMLName("regcode", prefix: "ns2", uri: "urn:x"), WireObject([]))
        #expect(self.text(document, .xml) == Self.declaration + "<ns2:regcode xmlns:ns2=\"urn:x\"/>")
    }

    @Test("escapes what JSON must escape")
    func jsonEscapes() {
        let document = WireDocument("t", WireObject([.init("s", .string("\"\\/\n\r\t\u{0}\u{1F}\u{7F}é😀"))]))
        #expect(self.text(document, .json) == "{\"s\":\"\\\"\\\\/\\n\\r\\t\\u0000\\u001f\\u007fé😀\"}")
    }

    @Test("drops what XML cannot carry, and keeps the rest")
    func xmlForbidden() {
        let document = WireDocument(
            "t", WireObject([.init("s", .string("a\u{0}\u{8}\u{B}\u{1F}\u{FFFE}\u{FFFF}b]]>"))]))
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

    @Test("is read back by xmllint as it was written", arguments: [UInt64(1), 2, 3, 4])
    func xmllint(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<40).map { _ in Self.text(using: &generator) }
        let document = WireDocument(
            "t",
            WireObject([
                .init(
                    "s",
                    .array(
                        texts.map { text in
                            .object(WireObject([.init("v", .string(text))], attributes: [.init("a", text)]))
                        }))
            ]))
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
