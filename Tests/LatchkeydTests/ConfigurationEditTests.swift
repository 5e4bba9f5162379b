import CommandLineTool
import FoundationEssentials
import JSON5
import TestSupport
import Testing
import latchkeyd

@Suite("A configuration that a command changes")
struct ConfigurationEditTests {
    private static let text = """
        // Ours.
        {
            server: { publicURL: "https://tv.example" }, // the proxy's
            providers: [{ id: "CableNova", name: "Cable Nova" }],
            requestors: [
                // The first brand.
                {
                    id: "NORTHSPORT", // as boxes say it
                    name: "North Sport",
                    integrations: [{ provider: "CableNova" }],
                }, // until 2027
                { id: "SOUTHSPORT", name: 'South Sport', integrations: [] } // no comma
                // More to come.
            ],
            /* the end */
        }

        """

    private func document(_ text: String = text) throws -> JSON5Document {
        try #require(JSON5Document(Array(text.utf8)))
    }

    /// A call that changes a value stands outside of an expectation.
    private func check(_ isAsExpected: Bool, _ place: SourceLocation = #_sourceLocation) {
        #expect(isAsExpected, sourceLocation: place)
    }

    private func changed(_ document: JSON5Document) -> String { String(decoding: document.bytes, as: UTF8.self) }

    @Test("gets a group at the end of a list, and a comma where one was missing")
    func group() throws {
        var document = try self.document()
        self.check(
            document.append(
                .group([.init("id", "NEW"), .init("integrations", .list([.object(["provider": "CableNova"])]))]),
                to: [.key("requestors")]))
        let expected = Self.text.replacing(
            """
                    { id: "SOUTHSPORT", name: 'South Sport', integrations: [] } // no comma
                    // More to come.

            """,
            with: """
                        { id: "SOUTHSPORT", name: 'South Sport', integrations: [] }, // no comma
                        // More to come.
                        {
                            id: "NEW",
                            integrations: [{ provider: "CableNova" }],
                        },

                """)
        #expect(self.changed(document) == expected)
    }

    @Test("gets a value in a list on one line, and members in place of old ones or beside them")
    func values() throws {
        var document = try self.document()
        let first: [JSON5Document.Step] = [.key("requestors"), .index(0)]
        self.check(document.append(.value(.object(["provider": "Preview"])), to: first + [.key("integrations")]))
        self.check(document.set("name", "Nord \"Sport\"", in: first))
        self.check(document.set("domains", .list(["a.example"]), in: first))
        self.check(document.append(.value("b.example"), to: first + [.key("domains")]))
        self.check(document.append(.value("x"), to: [.key("requestors"), .index(1), .key("integrations")]))
        let text = self.changed(document)
        #expect(text.contains(#"            id: "NORTHSPORT", // as boxes say it"# + "\n"))
        #expect(text.contains(#"            name: "Nord \"Sport\"","# + "\n"))
        #expect(
            text.contains(#"            integrations: [{ provider: "CableNova" }, { provider: "Preview" }],"# + "\n"))
        #expect(text.contains(#"            domains: ["a.example", "b.example"],"# + "\n        }, // until 2027\n"))
        #expect(JSON5Document(document.bytes) != nil)
    }

    @Test("loses a group with its lines, and a value with its comma; comments before them stay")
    func removal() throws {
        var document = try self.document()
        self.check(document.remove([.key("requestors"), .index(0)]))
        var text = self.changed(document)
        #expect(!text.contains("NORTHSPORT") && !text.contains("2027") && text.contains("// The first brand.\n"))
        self.check(document.remove([.key("requestors"), .index(0)]))
        text = self.changed(document)
        #expect(text.contains("        // The first brand.\n        // More to come.\n    ],\n"))
        self.check(document.remove([.key("providers"), .index(0)]))
        #expect(self.changed(document).contains("    providers: [],\n"))

        var list = try self.document("{ a: [1, 2, 3] }")
        self.check(list.remove([.key("a"), .index(2)]))
        #expect(self.changed(list) == "{ a: [1, 2] }")
        self.check(list.remove([.key("a"), .index(0)]))
        #expect(self.changed(list) == "{ a: [2] }")
    }

    @Test(
        "is left alone where there is nothing of the kind",
        arguments: [
            [JSON5Document.Step.key("none")], [.key("requestors"), .index(2)], [.key("server"), .index(0)],
            [.index(0)], [.key("requestors"), .key("id")], [],
        ])
    func absence(_ path: [JSON5Document.Step]) throws {
        var document = try self.document()
        self.check(!document.remove(path))
        self.check(!document.append(.value(1), to: path))
        #expect(self.changed(document) == Self.text)
    }

    @Test("is no text that cannot be read", arguments: ["", "{", "{ a: }", "{ a: 1 b: 2 }", "[1 2]", "{ a: 'x }"])
    func broken(_ text: String) {
        #expect(JSON5Document(Array(text.utf8)) == nil)
    }

    @Test("can be read after every change of any text that could be read before")
    func mutations() throws {
        var changed = 0
        for text in Mutations(of: [Self.text], count: 2000, seed: 14) {
            guard var document = JSON5Document(Array(text.utf8)) else { continue }
            if document.set("added", 1, in: []) { changed += 1 }
            _ = document.append(.group([.init("id", "X")]), to: [.key("requestors")])
            _ = document.remove([.key("requestors"), .index(0)])
            #expect(JSON5Document(document.bytes) != nil, "\(text)")
        }
        #expect(changed > 0)
    }
}
