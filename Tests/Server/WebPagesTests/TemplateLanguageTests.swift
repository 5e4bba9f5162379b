import ServerAPI
import Testing

@Suite("The language of the templates")
struct TemplateLanguageTests {
    @Test func `A branch is taken when there is something to show`() throws {
        let main = "<p>{{if value}}yes{{else}}no{{end}}</p>"
        let present: [TemplateValue] = [.text("a"), .number(0), .flag(true), .list([[:]]), .html(HTML(escaping: "x"))]
        let absent: [TemplateValue] = [.absent, .text(""), .flag(false), .list([]), .html(HTML(unescaped: ""))]
        for value in present { #expect(try TestLibrary.render(main, ["value": value]) == "<p>yes</p>") }
        for value in absent { #expect(try TestLibrary.render(main, ["value": value]) == "<p>no</p>") }
    }

    @Test func `A loop shows its items, and what surrounds them`() throws {
        let body = try TestLibrary.render(
            "{{each items}}<p>{{name}} {{outer}}</p>{{end}}",
            ["items": .list([["name": .text("a")], ["name": .text("b")]]), "name": .text("c"), "outer": .number(7)])
        #expect(body == "<p>a 7</p><p>b 7</p>")
    }

    @Test func `A branch may add attributes to a tag`() throws {
        let main = #"<input type="text" {{if bad}}aria-invalid="true" {{else}}title="x" {{end}}/>"#
        #expect(try TestLibrary.render(main, ["bad": .flag(true)]) == #"<input type="text" aria-invalid="true" />"#)
        #expect(try TestLibrary.render(main, ["bad": .flag(false)]) == #"<input type="text" title="x" />"#)
    }

    @Test func `An asset is written as its address, and a remark as nothing`() throws {
        let body = try TestLibrary.render(#"{{! a remark }}<img src="{{asset logo.svg}}" alt="" />"#)
        #expect(body.wholeMatch(of: /<img src="\/assets\/logo-[0-9a-f]{16}\.svg" alt="" \/>/) != nil)
    }

    @Test func `A page that does not give what its template shows is a fault, with the place`() {
        #expect(throws: TemplateFault(file: "test.html", line: 3, message: "the page gives no 'value'")) {
            try TestLibrary.render("\n<p>{{value}}</p>")
        }
    }

    @Test(arguments: [
        ("<p>\n{{value\n</p>", 3, "'{{' is not closed on its line"),
        ("<p>{{value}</p>", 2, "{{value}</p>{{end}} is not a directive"),
        ("<p>{{a b c}}</p>", 2, "{{a b c}} is not a directive"),
        ("<p>{{show a}}</p>", 2, "{{show a}} is not a directive"),
        ("<p>{{say no.such}}</p>", 2, "there is no sentence 'no.such'"),
        ("\n<p>{{asset none.svg}}</p>", 3, "an asset is a whole address"),
        (#"<a href="{{asset none.svg}}">x</a>"#, 2, "there is no asset 'none.svg'"),
        (#"<a href="{{say code.title}}">x</a>"#, 2, "a sentence is no address"),
        ("<p>{{if a}}</p>{{end}}", 2, "the branches of this block end in different places"),
        ("{{if a}}<p>{{else}}{{end}}", 2, "the branches of this block end in different places"),
        ("{{each a}}<p>{{end}}", 2, "this loop ends elsewhere than it begins"),
        ("<p>x</p>{{else}}", 2, "{{else}} closes nothing here"),
        ("{{if a}}x", 2, "this block has no {{end}}"),
        ("<p>x", 2, "this slot leaves an element open"),
        ("<p>x</div>", 2, "</div> does not close <p>"),
        ("<p>x</p", 2, "this slot leaves an element open"),
        ("<P>x</P>", 2, "'<' does not begin a tag here"),
        ("<p>a < b</p>", 2, "'<' does not begin a tag here"),
        ("<div/>", 2, "<div> cannot close itself"),
        ("<br>", 2, "<br> closes itself with />"),
        ("<!-- x -->", 2, "'<' does not begin a tag here"),
        ("<p class=x>x</p>", 2, "an attribute's value is written in double quotes"),
        ("<p class='x'>x</p>", 2, "an attribute's value is written in double quotes"),
        ("<input required />", 2, "the attribute 'required' needs a value"),
        (#"<p id="a" id="b">x</p>"#, 2, "the attribute 'id' is there twice"),
        (#"<p id="a>x</p>"#, 2, "the value of 'id' is not closed"),
        ("<{{value}}>", 2, "no value can stand here"),
        ("<p {{value}}>x</p>", 2, "no value can stand here"),
    ])
    func `A mistake in a template is found when it is read, with its line`(_ main: String, line: Int, message: String) {
        let fault = #expect(throws: TemplateFault.self) { try TestLibrary.make(main: main) }
        #expect(fault?.file == "test.html")
        #expect(fault?.line == line)
        #expect(fault?.message == message)
    }

    @Test(arguments: [
        (#"<p onclick="x()">x</p>"#, "the attribute 'onclick' has no place in a page"),
        (#"<p style="color: red">x</p>"#, "the attribute 'style' has no place in a page"),
        ("<script>x()</script>", "a script has to be a file of its own"),
        (#"<script src="/a.js">x()</script>"#, "a script has to be a file of its own"),
        ("<style>p {}</style>", "<style> has no place in a page"),
        (#"<iframe src="/a"></iframe>"#, "<iframe> has no place in a page"),
        ("<svg></svg>", "<svg> has no place in a page"),
    ])
    func `Code and style within a page are refused`(_ main: String, message: String) {
        #expect(throws: TemplateFault(file: "test.html", line: 2, message: message)) {
            try TestLibrary.make(main: main)
        }
    }

    @Test func `A page fills every slot of the layout, once, and says nothing beside them`() {
        #expect(throws: TemplateFault(file: "test.html", line: 0, message: "the slot 'title' is not filled")) {
            try TestLibrary.make(page: "{{slot main}}x{{end}}")
        }
        #expect(throws: TemplateFault(file: "test.html", line: 1, message: "the layout has no slot 'side'")) {
            try TestLibrary.make(page: "{{slot side}}x{{end}}")
        }
        #expect(throws: TemplateFault(file: "test.html", line: 1, message: "the slot 'title' is filled twice")) {
            try TestLibrary.make(page: "{{slot title}}x{{end}}{{slot title}}x{{end}}")
        }
        #expect(throws: TemplateFault(file: "test.html", line: 0, message: "outside its slots a page says nothing")) {
            try TestLibrary.make(page: "{{slot title}}x{{end}}x{{slot main}}x{{end}}")
        }
    }

    @Test func `A layout that leaves an element open is a fault`() {
        let fault = #expect(throws: TemplateFault.self) {
            try TestLibrary.make(main: "x", layout: "<html><title>{{slot title}}</title>{{slot main}}")
        }
        #expect(fault?.file == "layout.html")
        #expect(fault?.message == "<html> is not closed")
    }
}
