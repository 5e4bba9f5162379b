import Clientless
import HTTPServer
import TestSupport
import Testing

@testable import ServerAPI

@Suite("A JSON object as parameters")
struct JSONObjectTests {
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, true), (#"{"a":1,"b":{"a":2}}"#, false), (#"{"a":"a","b":"a"}"#, false),
        (#"{"a":["a","a"],"b":1}"#, false), (#"{ "a" : "x\",\"a" , "a" : 1 }"#, true), (#"{"a":"\\","a":1}"#, true),
        (#"{}"#, false), (#"{"a":{"x":1,"x":2}}"#, false), (#"{"a":"#, false), (#"{""#, false), ("", false),
    ])
    func `finds repeated names of the object itself`(text: String, expected: Bool) {
        #expect((FlatJSONObject(Array(text.utf8))?.hasRepeatedName ?? false) == expected)
    }

    @Test func `has its texts, numbers and flags`() throws {
        let body = Array(#"{"deviceId":"a b&c=d","ttl":60,"on":true,"none":null,"list":[1]}"#.utf8)
        let parameters = try #require(FlatJSONObject(body)).parameters
        #expect(parameters["deviceId"] == "a b&c=d")
        #expect(parameters["ttl"] == "60")
        #expect(parameters["on"] == "true")
        #expect(parameters["none"] == nil)
        #expect(parameters["list"] == nil)
    }

    @Test("is nothing when the body is no object", arguments: ["", "[]", "{", "\"x\"", "{\"a\"", "\u{FFFD}"])
    func malformed(text: String) { #expect(FlatJSONObject(Array(text.utf8)) == nil) }

    @Test(arguments: [UInt64(11), 12, 13]) func `survives any mutation of a body`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(#"{"software_statement":"a.b.c","redirect_uri":"x\"y","grant_types":["a",{"b":[]}]}"#.utf8)
        for _ in 0..<2000 {
            var body = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                body[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = FlatJSONObject(body)?.hasRepeatedName
        }
    }

    @Test(arguments: [
        (#"{"a":"\u00e9\ud83d\ude00\n\/"}"#, "\u{E9}\u{1F600}\n/"), (#"{"a":-0}"#, "0"), (#"{"a":1.50}"#, "1.5"),
        (#"{"a":1e3}"#, "1000"), (#"{"a":9223372036854775807}"#, "9223372036854775807"), (#" { "a" : "" } "#, ""),
        (#"{"a":1,"a":2}"#, "2"), (#"{"b":[[{"c":[]}],null,true],"a":false}"#, "false"),
    ])
    func `reads what RFC 8259 allows`(text: String, value: String) throws {
        #expect(try #require(FlatJSONObject(Array(text.utf8))).parameters["a"] == value)
    }

    @Test(arguments: [
        #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1,}"#, #"{"a":[1,]}"#, #"{"a":"\x"}"#,
        #"{"a":"\ud83d"}"#, #"{"a":tru}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":1}}"#, "{\"a\":\"\n\"}", #"{"a":"#,
    ])
    func `is nothing where RFC 8259 is broken`(text: String) {
        #expect(FlatJSONObject(Array(text.utf8)) == nil)
    }

    @Test("has at most 64 members, 256 values in all, and 16 of them in one another")
    func bounds() {
        func object(members: Int) -> [UInt8] {
            Array("{\((0..<members).map { "\"m\($0)\":1" }.joined(separator: ","))}".utf8)
        }
        func list(values: Int) -> [UInt8] {
            Array("{\"a\":[\(Array(repeating: "1", count: values).joined(separator: ","))]}".utf8)
        }
        func nest(depth: Int) -> [UInt8] {
            Array("{\"a\":\(String(repeating: "[", count: depth))\(String(repeating: "]", count: depth))}".utf8)
        }
        #expect(FlatJSONObject(object(members: 64))?.members.count == 64)
        #expect(FlatJSONObject(object(members: 65)) == nil)
        #expect(FlatJSONObject(list(values: 255)) != nil)
        #expect(FlatJSONObject(list(values: 256)) == nil)
        #expect(FlatJSONObject(nest(depth: 16)) != nil)
        #expect(FlatJSONObject(nest(depth: 17)) == nil)
        #expect(FlatJSONObject(nest(depth: 10_000)) == nil)
    }
}
