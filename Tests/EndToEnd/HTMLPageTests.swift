import RealPrograms
import Testing

@Suite("The phone reads pages as a browser does")
struct HTMLPageTests {
    private static let page = HTMLPage(
        """
        <!DOCTYPE html><html lang="en"><head><title>Pick &amp; choose</title><script src="/a.js"></script>
        <link rel="stylesheet" href="/b.css" /></head>
        <body><!-- <form> --><h1>Who
          is&nbsp;it?</h1><p role="alert">Not <b>that</b> one &lt;again&gt;</p>
        <script>if (1 < 2) document.write("<form action='/no'>")</script>
        <form method="post" action="/go?x=1&amp;y=2"><input type="hidden" name="token" value="a&quot;b&#x2F;c" />
        <label for="name">Your name</label><input id=name name=name value='Ann' required>
        <button name="who" value="1">First <small>of two</small></button>
        <button type="submit" name="who" value="2">Second</button></form>
        <form><input name="q"></form></body></html>
        """)

    @Test func `It sees titles, headings, alerts and assets, and no markup in comments and scripts`() {
        #expect(Self.page.title == "Pick & choose")
        #expect(Self.page.headings == ["Who is it?"])
        #expect(Self.page.alerts == ["Not that one <again>"])
        #expect(Self.page.assets == ["/a.js", "/b.css"])
        #expect(Self.page.forms.count == 2)
        #expect(!Self.page.text.contains("document.write"))
    }

    @Test func `It sends hidden fields, typed fields and the pressed button alone, in the page's order`() throws {
        let form = try #require(Self.page.forms.first)
        #expect(form.method == "post")
        #expect(form.action == "/go?x=1&y=2")
        #expect(form.field(named: "name")?.label == "Your name")
        #expect(form.buttons.map(\.label) == ["First of two", "Second"])
        let button = try #require(form.button(named: "who", value: "2"))
        let entries = form.entries(typing: ["name": "Bo & Co"], pressing: button)
        #expect(HTMLForm.urlEncoded(entries) == "token=a%22b%2Fc&name=Bo+%26+Co&who=2")
        #expect(HTMLForm.urlEncoded(form.entries(typing: [:], pressing: nil)) == "token=a%22b%2Fc&name=Ann")
        #expect(Self.page.forms[1].method == "get")
        #expect(Self.page.forms[1].action == nil)
    }

    @Test(arguments: ["<", "<a", "<a b=\"", "</", "<!--", "&", "&#xFFFFFFFF;", "<script>", "</p>"])
    func `Whatever it is given, it comes to an end`(_ html: String) {
        #expect(HTMLPage(html).forms.isEmpty)
    }
}
