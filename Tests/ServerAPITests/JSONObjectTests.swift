import HTTPServer
import TestSupport
import Testing

@testable import ServerAPI

@Suite("A JSON object as parameters")
struct JSONObjectTests {
    @Test(
        "finds repeated names of the object itself",
        arguments: [
            (#"{"a":1,"a":2}"#, true), (#"{"a":1,"b":{"a":2}}"#, false), (#"{"a":"a","b":"a"}"#, false),
            (#"{"a":["a","a"],"b":1}"#, false), (#"{ "a" : "x\",\"a" , "a" : 1 }"#, true), (#"{"a":"\\","a":1}"#, true),
            (#"{}"#, false), (#"{"a":{"x":1,"x":2}}"#, false), (#"{"a":"#, false), (#"{""#, false), ("", false),
        ])
    func repeated(text: String, expected: Bool) {
        #expect(JSONObjectNames.areRepeated(in: Array(text.utf8)) == expected)
    }

    @Test("has its texts, numbers and flags")
    func members() throws {
        let body = Array(#"{"deviceId":"a b&c=d","ttl":60,"on":true,"none":null,"list":[1]}"#.utf8)
        let parameters = try #require(JSONObjectParameters.read(body))
        #expect(parameters["deviceId"] == "a b&c=d")
        #expect(parameters["ttl"] == "60")
        #expect(parameters["on"] == "true")
        #expect(parameters["none"] == nil)
        #expect(parameters["list"] == nil)
    }

    @Test("is nothing when the body is no object", arguments: ["", "[]", "{", "\"x\"", "{\"a\"", "\u{FFFD}"])
    func malformed(text: String) {
        #expect(JSONObjectParameters.read(Array(text.utf8)) == nil)
    }

    @Test("survives any mutation of a body", arguments: [UInt64(11), 12, 13])
    func mutations(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(#"{"software_statement":"a.b.c","redirect_uri":"x\"y","grant_types":["a",{"b":[]}]}"#.utf8)
        for _ in 0..<2000 {
            var body = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                body[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = JSONObjectNames.areRepeated(in: body)
            _ = JSONObjectParameters.read(body)
        }
    }
}
