import ServerAPI
import Testing

@Suite("A template escapes every value for the place it stands in")
struct EscapingTests {
    static let hostile = #"<img src=x onerror="alert('1')">&amp;"#
    static let harmless = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"

    @Test func `Text between tags cannot become a tag`() throws {
        #expect(try TestLibrary.render("<p>{{value}}</p>", ["value": .text(Self.hostile)]) == "<p>\(Self.harmless)</p>")
    }

    @Test func `Text in an attribute cannot end it`() throws {
        let body = try TestLibrary.render(#"<p title="a {{value}}">x</p>"#, ["value": .text(Self.hostile)])
        #expect(body == #"<p title="a \#(Self.harmless)">x</p>"#)
    }

    @Test func `A stranger's text is isolated between tags and plain in an attribute`() throws {
        let name = try #require(ForeignText("<b>Böx צ</b>"))
        let body = try TestLibrary.render(#"<p title="{{value}}">{{value}}</p>"#, ["value": .foreign(name)])
        #expect(body == #"<p title="&lt;b&gt;Böx צ&lt;/b&gt;"><bdi>&lt;b&gt;Böx צ&lt;/b&gt;</bdi></p>"#)
    }

    @Test(
        "A stranger's text needs no isolation where its letters run as the page does",
        arguments: [
            ("Café “x”", true), ("Kanał 1 (HD)!", false), ("a\u{5D0}", true), ("東京", true), ("a\u{301}", true),
            ("٣", true),
        ])
    func plainForeign(_ text: String, isIsolated: Bool) throws {
        let name = try #require(ForeignText(text))
        let body = try TestLibrary.render("<p>{{value}}</p>", ["value": .foreign(name)])
        #expect(body == (isIsolated ? "<p><bdi>\(text)</bdi></p>" : "<p>\(text)</p>"))
    }

    @Test func `A stranger's text in the title is isolated by characters, since tags mean nothing there`() throws {
        let library = try TestLibrary.make(main: "<p>x</p>", title: "{{value}}")
        let name = try #require(ForeignText("Box \u{5E6}"))
        let document = try TestLibrary.text(library, ["value": .foreign(name)], in: "en")
        #expect(document.contains("<title>\u{2068}Box \u{5E6}\u{2069}</title>"))
    }

    @Test func `Only markup of the type for it is shown as markup, and never in an attribute`() throws {
        let values: TemplateValues = ["value": .html(HTML(unescaped: "<b>x</b>"))]
        #expect(try TestLibrary.render("<p>{{value}}</p>", values) == "<p><b>x</b></p>")
        #expect(throws: TemplateFault(file: "test.html", line: 2, message: "markup stands between tags only")) {
            try TestLibrary.render(#"<p title="{{value}}">x</p>"#, values)
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
        "\u{1}javascript:alert(1)", "vbscript:x", "data:text/html,<script>", "file:///etc/passwd", "blob:x",
    ])
    func `An address with a scheme that runs something leads nowhere`(_ address: String) throws {
        let body = try TestLibrary.render(#"<a href="{{value}}">x</a>"#, ["value": .text(address)])
        #expect(body == #"<a href="about:invalid">x</a>"#)
    }

    @Test(arguments: [
        "/activate?code=1", "activate", "https://tv.example/a?b=c", "HTTP://tv.example", "?x=javascript:y", "",
    ])
    func `A relative address and one of the web is kept`(_ address: String) throws {
        let body = try TestLibrary.render(#"<a href="{{value}}">x</a>"#, ["value": .text(address)])
        #expect(body == #"<a href="\#(address)">x</a>"#)
    }

    @Test func `A picture within its address is an address for pictures alone`() throws {
        let values: TemplateValues = ["value": .text("data:image/png;base64,AAAA")]
        let body = try TestLibrary.render(#"<a href="{{value}}"><img src="{{value}}" alt="" /></a>"#, values)
        #expect(body == #"<a href="about:invalid"><img src="data:image/png;base64,AAAA" alt="" /></a>"#)
    }

    @Test func `A value behind the start of an address is percent-encoded`() throws {
        let body = try TestLibrary.render(#"<a href="/a?b={{value}}">x</a>"#, ["value": .text("1&c=\"é /")])
        #expect(body == #"<a href="/a?b=1%26c%3D%22%C3%A9%20%2F">x</a>"#)
    }

    @Test func `Sentences are escaped, and so are the values in them`() throws {
        let name = try #require(ForeignText("A<b>"))
        let body = try TestLibrary.render("<p>{{say provider.none}}</p>", ["brand": .foreign(name)])
        #expect(body == "<p>No TV provider works with A&lt;b&gt; at the moment.</p>")
    }

    @Test func `Characters that no markup can carry are replaced`() throws {
        let body = try TestLibrary.render(
            "<p>{{value}}</p>", ["value": .text("a\u{0}b\u{1B}c\u{9F}d\u{FFFF}e\tf\u{A0}\u{FFFD}")])
        #expect(body == "<p>a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\tf\u{A0}\u{FFFD}</p>")
    }
}
