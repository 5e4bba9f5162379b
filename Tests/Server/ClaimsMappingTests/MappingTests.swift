import Clientless
import Cryptography
import Entitlement
import Testing

@testable import ClaimsMapping

/// One rule, what a provider says, and what becomes of it.
struct MappingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var source = MappingRule.Source.path(["in"])
    var steps: [MappingRule.Step] = []
    var shape = MappingRule.Shape.text
    var given: [JSONValue] = [.string("Value-1")]
    let expected: MetadataValue?

    static func all() throws -> [MappingCase] {
        let digits = try TextPattern("^[a-z-]*([0-9]+)$")
        let optional = try TextPattern("^(north)?(-)?([0-9]+)(z)?$")
        let hash = try KeyedHash(key: Secret([UInt8](repeating: 7, count: 32)))
        return [
            MappingCase(testDescription: "pick", expected: .text("Value-1")),
            MappingCase(testDescription: "first of many", given: [.string("a"), .string("b")], expected: .text("a")),
            MappingCase(
                testDescription: "list, each once", shape: .list,
                given: [.string("a"), .string("b"), .string("a"), .null, .integer(7), .boolean(true), .double(1.5)],
                expected: .list(["a", "b", "7", "true", "1.5"])),
            MappingCase(testDescription: "nothing", given: [], expected: nil),
            MappingCase(testDescription: "no text", given: [.null, .object([]), .array([])], expected: nil),
            MappingCase(testDescription: "absent name", source: .path(["other"]), expected: nil),
            MappingCase(
                testDescription: "path", source: .path(["in", "postal", "code"]), shape: .list,
                given: [
                    .object([.init("postal", .array([.object([.init("code", .string("10115"))]), .string("x")]))]),
                    .object([.init("postal", .object([.init("code", .array([.string("20095"), .string("10115")]))]))]),
                ], expected: .list(["10115", "20095"])),
            MappingCase(testDescription: "constant", source: .constant("en"), given: [], expected: .text("en")),
            MappingCase(
                testDescription: "entry of a map", shape: .entry(name: "MPAA"), given: [.string("PG-13")],
                expected: .map([NamedText("MPAA", "PG-13")])),
            MappingCase(
                testDescription: "salted hash", steps: [.saltedHash(salt: "salt")], given: [.string("x")],
                expected: .text(Hex.encode(Digest.sha256("saltx".utf8)))),
            MappingCase(
                testDescription: "keyed hash", steps: [.keyedHash(hash, label: "userID")], given: [.string("x")],
                expected: .text(Hex.encode(hash.hash(of: "6:userIDx")))),
            MappingCase(
                testDescription: "pattern",
                steps: [.lowercased, .pattern(digits, try PatternTemplate("n$1$$", for: digits))],
                expected: .text("n1$")),
            MappingCase(
                testDescription: "pattern with groups that took no part, before and behind one that did",
                steps: [.pattern(optional, try PatternTemplate("$1.$2.$3.$4", for: optional))], given: [.string("7")],
                expected: .text("..7.")),
            MappingCase(
                testDescription: "pattern leaves out",
                steps: [.pattern(digits, try PatternTemplate("$1", for: digits))],
                shape: .list, given: [.string("a1"), .string("B2"), .string("c3")], expected: .list(["1", "3"])),
            MappingCase(
                testDescription: "too long", given: [.string(String(repeating: "é", count: 2_049))], expected: nil),
            MappingCase(
                testDescription: "as long as may be", given: [.string(String(repeating: "é", count: 2_048))],
                expected: .text(String(repeating: "é", count: 2_048))),
        ]
    }
}

@Suite("A mapping of what a provider says")
struct MappingTests {
    @Test(arguments: try MappingCase.all()) func `makes of each rule what it says`(_ test: MappingCase) throws {
        let rule = try MappingRule(key: "out", source: test.source, steps: test.steps, shape: test.shape)
        let result = try MetadataMapping([rule]).apply(to: SourceAttributes([.init("in", test.given)]))
        #expect(result.values["out"] == test.expected)
        #expect(result.missing == (test.expected == nil ? ["out"] : []))
        #expect(result.costly.isEmpty)
    }

    @Test func `reads claims: an array is many values, and a name may stand for a path of one`() throws {
        let claims = JSONValue.object([
            .init("sub", .string("v")), .init("groups", .array([.string("a"), .string("b")])),
            .init(
                "https://tv.example/rating", .object([.init("MPAA", .string("R")), .init("VCHIP", .string("TV-14"))])),
        ])
        let mapping = try MetadataMapping([
            MappingRule(key: "userID", source: .path(["sub"])),
            MappingRule(key: "channelID", source: .path(["groups"]), shape: .list),
            MappingRule(
                key: "maxRating", source: .path(["https://tv.example/rating", "MPAA"]), shape: .entry(name: "MPAA")),
            MappingRule(
                key: "maxRating", source: .path(["https://tv.example/rating", "VCHIP"]), shape: .entry(name: "VCHIP")),
            MappingRule(key: "zip", source: .path(["zip"]), shape: .list),
        ])
        let result = mapping.apply(to: SourceAttributes(claims: claims))
        #expect(
            result.values == [
                "userID": .text("v"), "channelID": .list(["a", "b"]),
                "maxRating": .map([.init("MPAA", "R"), .init("VCHIP", "TV-14")]),
            ])
        #expect(result.missing == ["zip"])
        #expect(mapping.apply(to: SourceAttributes(claims: .string("no object"))).values.isEmpty)
    }

    @Test func `refuses rules that cannot be meant`() throws {
        #expect(throws: MappingFault.key) { try MappingRule(key: "", source: .constant("x")) }
        #expect(throws: MappingFault.key) { try MappingRule(key: "a b", source: .constant("x")) }
        #expect(throws: MappingFault.path(key: "k")) { try MappingRule(key: "k", source: .path([])) }
        #expect(throws: MappingFault.path(key: "k")) { try MappingRule(key: "k", source: .path([""])) }
        #expect(throws: MappingFault.constant(key: "k")) {
            try MappingRule(key: "k", source: .constant(String(repeating: "x", count: 4_097)))
        }
        #expect(throws: MappingFault.entry(key: "k")) {
            try MappingRule(key: "k", source: .constant("x"), shape: .entry(name: ""))
        }
        #expect(throws: MappingFault.steps(key: "k")) {
            try MappingRule(key: "k", source: .constant("x"), steps: Array(repeating: .lowercased, count: 9))
        }
        let rule = try MappingRule(key: "k", source: .constant("x"))
        let entry = try MappingRule(key: "k", source: .constant("x"), shape: .entry(name: "a"))
        for rules in [[rule, rule], [rule, entry], [entry, entry]] {
            #expect(throws: MappingFault.repeated(key: "k")) { try MetadataMapping(rules) }
        }
        #expect(throws: MappingFault.count) { try MetadataMapping(Array(repeating: rule, count: 129)) }
        for pattern in ["", "(", "[a", "a{2,1}", "\\C", String(repeating: "a", count: 513)] {
            #expect(throws: MappingFault.self, "\(pattern)") { try TextPattern(pattern) }
        }
        let pattern = try TextPattern("(a)(b)")
        for template in ["$3", "$", "$x", "$é", String(repeating: "x", count: 257)] {
            #expect(throws: MappingFault.template, "\(template)") { try PatternTemplate(template, for: pattern) }
        }
    }

    @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^([a-z]+)*[0-9]!$"])
    func `gives up a pattern that costs too much, for all texts of its rule together`(pattern: String) throws {
        let text = String(repeating: "a", count: 4_000) + "!"
        let pattern = try TextPattern(pattern)
        let rule = try MappingRule(
            key: "k", source: .path(["in"]), steps: [.pattern(pattern, try PatternTemplate("$0", for: pattern))],
            shape: .list)
        // No clock is asked: the engine counts its own steps.
        let given = ["a", text, "aa"].map { JSONValue.string($0) }
        let result = try MetadataMapping([rule]).apply(to: SourceAttributes([.init("in", given)]))
        #expect(result.costly == ["k"])
        #expect(result.values["k"] == nil || result.values["k"] == .list(["a"]))
        #expect(TextPattern.Budget(texts: 512).steps * 512 < 2 * TextPattern.Budget(texts: 1).steps)
    }

    @Test func `has no state: a pattern that was given up for one viewer serves the next`() throws {
        let pattern = try TextPattern("^(a+)+$")
        let rule = try MappingRule(
            key: "k", source: .path(["in"]), steps: [.pattern(pattern, try PatternTemplate("$1", for: pattern))])
        let mapping = try MetadataMapping([rule])
        let bad = mapping.apply(to: SourceAttributes([.init("in", [.string(String(repeating: "a", count: 60) + "!")])]))
        #expect(bad.missing == ["k"])
        let good = mapping.apply(to: SourceAttributes([.init("in", [.string("aaa")])]))
        #expect(good.values["k"] == .text("aaa"))
    }

    @Test func `says that a line-up is no list of names`() {
        let attributes = SourceAttributes(claims: .object([.init("channels", .object([.init("a", .integer(1))]))]))
        #expect(attributes.doubt(about: ["channels"])?.contains("'channels' is no list of names") == true)
        #expect(attributes.doubt(about: ["channels", "a"]) == nil)
        #expect(attributes.doubt(about: ["channels", "b"])?.contains("is not among") == true)
        let none = SourceAttributes(claims: .object([.init("channels", .array([]))]))
        #expect(none.doubt(about: ["channels"]) == nil)
    }
}
