import HTTPServer
import TestSupport
import Testing

@Suite("Lenient parameters")
struct ParameterTests {
    @Test(
        arguments: [
            ("a=1&b=2", ["a": "1", "b": "2"]),
            ("redirect_url=http://adobe.com/x?y=z&a=b", ["redirect_url": "http://adobe.com/x?y=z", "a": "b"]),
            ("a=x y", ["a": "x y"]),
            ("a=x+y%20z%2B", ["a": "x y z+"]),
            ("a%62c=1", ["abc": "1"]),
            ("abcd=1&ab=2&a%62c=3&abc=4&%=5", ["abc": "4", "ab": "2", "abcd": "1", "%": "5"]),
            ("abc=4&ab%63=3&ab%64&abc%=6", ["abc": "3", "abd": "", "abc%": "6"]),
            ("a=100%", ["a": "100%"]),
            ("a=%4", ["a": "%4"]),
            ("a=%zz%41", ["a": "%zzA"]),
            ("a=%C3%A9", ["a": "é"]),
            ("a=%C3", ["a": "\u{FFFD}"]),
            ("a=%E2%82", ["a": "\u{FFFD}"]),
            ("a", ["a": ""]),
            ("a=", ["a": ""]),
            ("=&&a==", ["a": "="]),
            ("a=1&a=2&a=3", ["a": "3"]),
            ("resource=<rss><x a=\"b\"/></rss>", ["resource": "<rss><x a=\"b\"/></rss>"]),
            ("", [:]),
        ] as [(String, [String: String])])
    func `read what deployed clients send`(text: String, expected: [String: String]) {
        let parameters = HTTPParameters(text)
        #expect(Dictionary(parameters.pairs.map { ($0.name, $0.value) }) { _, last in last } == expected)
        for (name, value) in expected { #expect(parameters[name] == value) }
        #expect(parameters["missing"] == nil)
        #expect(parameters.pairs.isEmpty == expected.isEmpty)
    }

    @Test func `tell a repeated name, however it is spelt`() {
        #expect(HTTPParameters("a=1&%61=2").hasRepeatedName)
        #expect(!HTTPParameters("a=1&A=2").hasRepeatedName)
        #expect(HTTPParameters("a=1&b=2&a=3").all("a") == ["1", "3"])
    }

    @Test func `counts its pairs without reading them`() {
        func text(_ count: Int) -> HTTPParameters {
            HTTPParameters((0..<count).map { "n\($0)=%41" }.joined(separator: "&"))
        }
        #expect(!text(256).exceed(pairs: 256))
        #expect(text(257).exceed(pairs: 256))
        #expect(!HTTPParameters().exceed(pairs: 0))
        #expect(HTTPParameters(Array(repeating: "a", count: 257).joined(separator: "&")).exceed(pairs: 256))
        #expect(!HTTPParameters("a=" + String(repeating: "x", count: 5000)).exceed(pairs: 1))
        let both = HTTPRequest(method: .post, target: "/?a=1&b=2", body: Array("c=3".utf8))
        #expect(both.parameters.exceed(pairs: 2))
        #expect(!both.parameters.exceed(pairs: 3))
    }

    @Test func `made of pairs say the same again`() {
        let pairs = [(name: "a b", value: "=&+%é"), (name: "c", value: ""), (name: "a b", value: "2")]
        let parameters = HTTPParameters(pairs: pairs)
        #expect(parameters.pairs.map(\.name) == pairs.map(\.name))
        #expect(parameters.pairs.map(\.value) == pairs.map(\.value))
        #expect(HTTPParameters("c=1&d=2").overridden(by: parameters)["c"] == "")
        #expect(HTTPParameters("c=1&d=2").overridden(by: parameters)["d"] == "2")
    }

    @Test func `survive any bytes`() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("a=&%+2Fé\u{0}{}".utf8)
        for _ in 0..<2000 {
            let length = Int.random(in: 0...24, using: &random)
            let body = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let request = HTTPRequest(method: .post, target: "/", body: body)
            for pair in request.form.pairs {
                #expect(request.form.all(pair.name).last == request.form[pair.name])
            }
        }
    }
}
