import TestSupport
import Testing

@testable import ServerAPI

@Suite("A drawing that pages show")
struct DrawingTests {
    private static func fault(_ bytes: [UInt8]) -> PictureFault? {
        do throws(PictureFault) {
            _ = try Picture(bytes, atMost: 65_536)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "draws, refers to its own parts, and may keep what a drawing program left in it",
        arguments: [
            (##"<path d="M0 0h9" fill="url(#a)"/><use href="#a"/>"##, ""),
            (##"<style type="text/css">.a{fill:#fff;clip-path:url( "#x" )}</style><g class="a"/>"##, ""),
            ("<style><![CDATA[a{fill:red}]]></style><!-- a remark --><title>Nova</title>", ""),
            (
                ##"<metadata><r:RDF><r:li r:resource="http://a.example"/></r:RDF></metadata><use x:href="#a"/>"##,
                ##"xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://www.w3.org/1999/xlink" "##
                    + #"xmlns:svg="http://www.w3.org/2000/svg" xmlns:i="http://i.example" i:file="C:\\a" "#
                    + #"xml:space="preserve""#
            ),
        ])
    func taken(_ contents: String, attributes: String) {
        let bytes = SamplePicture.svg(contents, attributes: attributes)
        #expect(Self.fault(bytes) == nil)
        let declaration = Array(#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#.utf8)
        #expect(Self.fault([0xEF, 0xBB, 0xBF] + declaration + bytes) == nil)
    }

    @Test(
        "has no script, however it is written",
        arguments: [
            ("<script>1</script>", "", .script), ("<g onclick=\"x()\"/>", "", .script),
            ("", "onload=\"x()\"", .script), ("<g OnClick=\"x()\"/>", "", .script),
            ("<s:script>1</s:script>", #"xmlns:s="http://www.w3.org/2000/svg""#, .element("s:script")),
            ("<h:script>1</h:script>", #"xmlns:h="http://www.w3.org/1999/xhtml""#, .element("h:script")),
            (
                #"<g xmlns:r="http://www.w3.org/1999/xhtml"><r:script/></g>"#, #"xmlns:r="http://r.example""#,
                .element("r:script")
            ),
            ("<x:script/>", "", .element("x:script")),
            (
                #"<g xmlns="http://www.w3.org/1999/xhtml"><script/></g>"#, "",
                .element("xmlns=http://www.w3.org/1999/xhtml")
            ),
            (##"<a href="#x"/>"##, "", .element("a")), ("<foreignObject/>", "", .element("foreignObject")),
            (#"<set attributeName="href" to="javascript:x()"/>"#, "", .element("set")),
            (#"<g style="fill:javascript:x()"/>"#, "", .reference),
        ] as [(String, String, PictureFault)])
    func script(_ contents: String, attributes: String, fault: PictureFault) {
        #expect(Self.fault(SamplePicture.svg(contents, attributes: attributes)) == fault)
    }

    @Test(
        "loads nothing",
        arguments: [
            #"<use href="https://a.example/a.svg#a"/>"#, #"<use href=" #a"/>"#, #"<textPath href=""/>"#,
            #"<g xml:base="https://a.example"/>"#, #"<path fill="url(https://a.example/#a)"/>"#,
            #"<path fill="URL('//a.example')"/>"#, #"<path style="fill:u\72l(https://a.example)"/>"#,
            "<style>@import 'a.css';</style>", "<style>a{b:image-set('a.png' 1x)}</style>",
            "<style><![CDATA[a{fill:ur]]><![CDATA[l(a.png)}]]></style>", "<style>@FONT-FACE{}</style>",
            "<style>a{fill:url(#a);b:url( \"a.png\")}</style>",
        ])
    func references(_ contents: String) {
        #expect(Self.fault(SamplePicture.svg(contents)) == .reference)
    }

    @Test("has no pictures within it, which nothing has checked")
    func pictures() {
        for contents in [#"<image href="data:image/png;base64,AAAA"/>"#, ##"<image href="#a"/>"##] {
            #expect(Self.fault(SamplePicture.svg(contents)) == .element("image"))
        }
        #expect(Self.fault(SamplePicture.svg(##"<filter><feImage href="#a"/></filter>"##)) == .element("feImage"))
    }

    @Test(
        "has no document type, no instruction, and the encoding it was read in",
        arguments: [
            ("<!DOCTYPE svg>", .documentType), ("<!doctype svg [<!ENTITY a 'b'>]>", .documentType),
            (#"<?xml-stylesheet href="a.css"?>"#, .instruction),
            (#"<?xml version="1.0"?><?php ?>"#, .instruction),
            (#"<?xml version="1.0" encoding="UTF-7"?>"#, .notUTF8),
            (#"<?xml version="1.0" encoding='ibm037' standalone="utf-8"?>"#, .notUTF8),
            (#"<?xml version="1.0" encoding=utf-8?>"#, .notWellFormed), ("<?xml ", .notWellFormed),
        ] as [(String, PictureFault)])
    func prolog(_ prolog: String, fault: PictureFault) {
        #expect(Self.fault(Array(prolog.utf8) + SamplePicture.svg()) == fault)
    }

    @Test("is well-formed, and a drawing")
    func form() {
        #expect(Self.fault(SamplePicture.svg("<g>")) == .notWellFormed)
        #expect(Self.fault(SamplePicture.svg("&nbsp;")) == .notWellFormed)
        #expect(Self.fault(SamplePicture.svg() + Array("x".utf8)) == .notWellFormed)
        #expect(Self.fault(SamplePicture.svg() + [0xFF]) == .notUTF8)
        for text in ["<html></html>", "<svg></svg>", #"<svg xmlns="http://www.w3.org/1999/xhtml"></svg>"#, "<SVG/>"] {
            #expect(Self.fault(Array(text.utf8)) == .notADrawing)
        }
        let prefixed = #"<s:svg xmlns:s="http://www.w3.org/2000/svg"></s:svg>"#
        #expect(Self.fault(Array(prefixed.utf8)) == .notADrawing)
    }

    @Test("keeps a phone busy for a moment only")
    func bounds() {
        func times(_ count: Int, _ text: String) -> [UInt8] {
            SamplePicture.svg(String(repeating: text, count: count))
        }
        #expect(Self.fault(times(4095, "<g/>")) == nil)
        #expect(Self.fault(times(4096, "<g/>")) == .tooMuch)
        #expect(Self.fault(times(16, ##"<use href="#a"/>"##)) == nil)
        #expect(Self.fault(times(17, ##"<use href="#a"/>"##)) == .tooMuch)
        #expect(Self.fault(times(9, "<pattern/><mask/>")) == .tooMuch)
        let deep = String(repeating: "<g>", count: 64) + String(repeating: "</g>", count: 64)
        #expect(Self.fault(SamplePicture.svg(deep)) == .notWellFormed)
    }

    @Test(
        "has the proportions that its root names",
        arguments: [
            (#"width="40" height="80" viewBox="0 0 1 1""#, 40, 80),
            (#"width="100%" height="80" viewBox="0 0 3 2""#, 3, 2),
            (#"width="4em" height="3em""#, 300, 150), (#"viewBox="0 0 0 5""#, 300, 150),
            (#"viewBox="0 0 nan 5""#, 300, 150),
        ] as [(String, Double, Double)])
    func size(_ attributes: String, width: Double, height: Double) throws {
        let picture = try Picture(SamplePicture.svg(attributes: attributes), atMost: 4096)
        #expect(picture.size == PictureSize(width: width, height: height))
    }
}
