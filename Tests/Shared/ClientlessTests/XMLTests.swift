import Clientless
import TestSupport
import Testing

@Suite("XML text")
struct XMLTextTests {
    @Test func `is escaped for elements and attributes, on one line`() {
        #expect(XMLText.escaped("a<b>&\"c'\t\r\nü") == "a&lt;b&gt;&amp;&quot;c&#39;&#9;&#13;&#10;ü")
        #expect(XMLText.escaped("") == "")
    }

    @Test func `loses what XML cannot carry, which can be asked first`() {
        #expect(XMLText.escaped("a\u{0}\u{1}\u{B}\u{1F}\u{FFFE}\u{FFFF}b") == "ab")
        #expect(XMLText.canCarry("a\t\r\n\u{7F}\u{10FFFF}"))
        for text in ["\u{0}", "a\u{8}", "\u{FFFF}"] { #expect(!XMLText.canCarry(text)) }
    }
}

@Suite("The channel of a resource")
struct ResourceTitleTests {
    static let rss = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>North Sport HD</title><item>\
        <title>Cup Final</title><guid>evt-8842</guid><media:rating scheme="urn:v-chip">tv-pg</media:rating></item>\
        </channel></rss>
        """

    @Test(
        "is the title of the MRSS channel",
        arguments: [
            (rss, "North Sport HD"), (rss + " \n", "North Sport HD"),
            ("<rss><channel><title><![CDATA[A & <B>]]></title></channel></rss>", "A & <B>"),
            ("<rss><channel><title> A &amp;&#32;&lt;B&gt; &#x41;</title></channel></rss>", "A & <B> A"),
            ("<rss><channel><title>A<![CDATA[B]]>C</title><title>D</title></channel></rss>", "ABC"),
            ("<rss><channel><item><title>I</title></item><title>C</title></channel></rss>", "C"),
            ("<rss><channel><title>A<b>B</b>C</title></channel></rss>", "AC"),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- x --><rss a='1' b = \"2>\"><channel ><x/><title>T</title ></channel></rss><?p i?>",
                "T"
            ),
            ("<rss><channel><title>T</title><e a=\"&quot;&apos;\" /></channel></rss>", "T"),
            ("<rss><channel><title>Ü\r\nx</title></channel></rss>", "Ü\nx"),
        ])
    func titles(_ text: String, _ title: String) throws {
        #expect(try #require(Resource(text)).channelTitle() == title)
        #expect(try #require(Resource(text)).isMediaRSS)
    }

    @Test("is the resource itself when that is plain", arguments: ["North Sport HD", "a<b", "5 > 3 & 2"])
    func plain(_ text: String) throws { #expect(try #require(Resource(text)).channelTitle() == text) }

    @Test(arguments: [
        "<", "<rss", "<rss>", "<rss></rss>", "<rss/>", "<rss><channel/></rss>",
        "<rss><channel><title/></channel></rss>",
        "<rss><channel><title>  </title></channel></rss>", "<rss><title>T</title></rss>",
        "<channel><title>T</title></channel>", "<RSS><channel><title>T</title></channel></RSS>",
        "<rss><channel><title>T</channel></title></rss>", "<rss><channel><title>T</title></channel>",
        "<rss><channel><title>T</title></channel></rss><rss/>", "<rss><channel><title>T</title></channel></rss>x",
        "<rss><channel><title>A & B</title></channel></rss>", "<rss><channel><title>&nbsp;</title></channel></rss>",
        "<rss><channel><title>&#0;</title></channel></rss>",
        "<rss><channel><title>&#xD800;</title></channel></rss>",
        "<rss><channel><title>&#x110000;</title></channel></rss>",
        "<rss><channel><title>&#+65;</title></channel></rss>",
        "<rss><channel><title>&#;</title></channel></rss>", "<rss><channel><title>&amp</title></channel></rss>",
        "<rss><channel><title>]]></title></channel></rss>", "<rss><channel><title>a\u{1}b</title></channel></rss>",
        "<rss a=1><channel><title>T</title></channel></rss>",
        "<rss a='1' a='2'><channel><title>T</title></channel></rss>",
        "<rss a='1'b='2'><channel><title>T</title></channel></rss>",
        "<rss a><channel><title>T</title></channel></rss>",
        "<rss a='<'><channel><title>T</title></channel></rss>",
        "<rss a='&x;'><channel><title>T</title></channel></rss>",
        "<rss><channel><!-- a -- b --><title>T</title></channel></rss>",
        "< rss><channel><title>T</title></channel></rss>",
        "<rss><channel><title>T</title></ channel></rss>", "<1rss><channel><title>T</title></channel></1rss>",
        "<!DOCTYPE rss><rss><channel><title>T</title></channel></rss>",
        "<!DOCTYPE rss [<!ENTITY e \"T\">]><rss><channel><title>&e;</title></channel></rss>",
        "<rss><?xml version='1.0'?><channel><title>T</title></channel></rss>", "<![CDATA[x]]>",
        "<rss><channel><title><![CDATA[T</title></channel></rss>", "</rss>", "<!---->", "<rss><channel><title>T",
        "<?xmlversion='1.0'?><rss><channel><title>T</title></channel></rss>",
    ])
    func `is not found in what is not well formed or has no such title`(_ text: String) throws {
        let resource = try #require(Resource(text))
        #expect(throws: MalformedResource.self) { try resource.channelTitle() }
    }

    @Test("is not looked for in what is nested too deep or has too many attributes")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            let (open, close) = (
                String(repeating: "<a>", count: depth - 2), String(repeating: "</a>", count: depth - 2)
            )
            return "<rss><channel><title>T</title>\(open)\(close)</channel></rss>"
        }
        #expect(try #require(Resource(nested(32))).channelTitle() == "T")
        #expect(throws: MalformedResource.self) { try #require(Resource(nested(33))).channelTitle() }

        func attributes(_ count: Int) -> String {
            "<rss \((0..<count).map { "a\($0)='x'" }.joined(separator: " "))><channel><title>T</title></channel></rss>"
        }
        #expect(try #require(Resource(attributes(32))).channelTitle() == "T")
        #expect(throws: MalformedResource.self) { try #require(Resource(attributes(33))).channelTitle() }
    }

    @Test func `is not found when the end of the fragment is missing, wherever it was cut`() throws {
        for count in 1..<Self.rss.utf8.count {
            let resource = try #require(Resource(String(Self.rss.prefix(count))))
            #expect(throws: MalformedResource.self) { try resource.channelTitle() }
        }
    }

    @Test func `of a changed fragment is a title without outer white space, or none`() {
        var (read, refused) = (0, 0)
        for text in Mutations(
            of: [Self.rss, "<rss><channel><title><![CDATA[A & <B>]]></title></channel></rss>"], count: 20_000, seed: 5)
        {
            guard let resource = Resource(text), resource.isMediaRSS else { continue }
            guard let title = try? resource.channelTitle() else {
                refused += 1
                continue
            }
            #expect(!title.isEmpty && Resource(title)?.text == title && XMLText.canCarry(title))
            // What was accepted has as many ends as beginnings.
            #expect(text.contains("</rss"))
            read += 1
        }
        #expect(read > 100 && refused > 100)
    }
}

@Suite("The reader of small XML documents")
struct XMLReaderTests {
    @Test("takes white space in an attribute for spaces, unless it is written as references (XML 1.0 section 3.3.3)")
    func attributes() throws {
        var reader = try XMLReader("<a b='1\t2\r\n3\n4\r5&#9;6&#10;7&#13;8'/>", size: 1000)
        #expect(try reader.next() == .start("a"))
        #expect(reader.attributes.map(\.value) == ["1 2 3 4 5\t6\n7\r8"])
    }

    @Test(
        "tells of comments and instructions inside the root, and not of those beside it",
        arguments: [
            ("<a/>", false), ("<!-- a --><?b c?><a/><!-- a -->", false), ("<a><!-- a --></a>", true),
            ("<a><b/><?b c?></a>", true),
        ])
    func foreignContent(_ text: String, _ isSkipped: Bool) throws {
        var reader = try XMLReader(text, size: 1000)
        while try reader.next() != nil {}
        #expect(reader.skippedForeignContent == isSkipped)
    }
}
