import Testing

@Suite("The documentation of the library")
struct DocumentationTests {
    private let catalogue: Catalogue

    init() throws { self.catalogue = try Catalogue() }

    @Test func `shows only code that compiles: each block stands word for word among the examples`() {
        let indent = "        "
        var count = 0
        for (name, page) in self.catalogue.pages {
            for block in Catalogue.swiftBlocks(of: page) {
                let body = block.map { $0.isEmpty ? "" : "\(indent)\($0)" }.joined(separator: "\n")
                let compiles = !block.isEmpty && self.catalogue.examples.contains("{\n\(body)\n    }")
                #expect(compiles, "\(name): \(body)")
                count += 1
            }
        }
        #expect(count >= 15)
        #expect(self.catalogue.pages.values.allSatisfy { !$0.contains("``` swift") && !$0.contains("~~~") })
    }

    @Test func `links only to pages that exist, and reaches every page from the first`() throws {
        for (name, page) in self.catalogue.pages {
            for link in Catalogue.marked("<doc:", ">", in: page) {
                #expect(self.catalogue.pages[link] != nil, "\(name) links to \(link)")
            }
        }
        let first = try #require(self.catalogue.pages["AccessEnabler"])
        let reached = Set(Catalogue.marked("<doc:", ">", in: first)).union(["AccessEnabler"])
        #expect(reached == Set(self.catalogue.pages.keys))
    }

    @Test func `has a picture, light and dark, for each of the ten flows`() {
        let flows = [
            "StartUp", "RegularLogin", "SecondScreen", "PlatformSignOn", "Authorization", "Preauthorization", "Logout",
            "PassiveLogin", "TempPass", "DegradedAccess",
        ]
        for flow in flows {
            let pictures = Catalogue.marked("](", ")", in: self.catalogue.pages[flow] ?? "")
            #expect(pictures.count == 1, "\(flow)")
            for picture in pictures {
                #expect(self.catalogue.pictures.isSuperset(of: ["\(picture).svg", "\(picture)~dark.svg"]), "\(flow)")
            }
        }
    }

    @Test func `groups every public type on its first page`() throws {
        let first = try #require(self.catalogue.pages["AccessEnabler"])
        let types = self.catalogue.types.filter { $0 != "AccessEnabler" }
        #expect(types.count > 60)
        for type in types {
            // The actor is called like the module, so a link to its members begins with both.
            let isGrouped = first.contains("\n- ``\(type.hasPrefix("AccessEnabler/") ? "AccessEnabler/" : "")\(type)``")
            #expect(isGrouped, "\(type)")
        }
    }

    @Test func `The top level has only names of the trade, which no application has for something else`() {
        let trade = [
            "AccessEnabler", "AdvancedStatus", "Entitlement", "MVPD", "PlatformSSO", "Preauthorize", "TvProvider",
        ]
        let top = self.catalogue.declarations.filter { !$0.contains("/") }
        #expect(top.count > 10)
        for name in top { #expect(trade.contains { name.hasPrefix($0) }, "\(name)") }
    }

    @Test func `shows a test of an application that passes`() async throws { #expect(try await Examples.tested()) }

    @Test func `names every call and every callback`() {
        let whole = self.catalogue.pages.values.joined(separator: "\n")
        let types = Set(self.catalogue.types)
        let members = self.catalogue.declarations.filter { declaration in
            ["AccessEnabler/", "EntitlementDelegate/", "EntitlementStatus/"].contains(where: declaration.hasPrefix)
                && declaration.split(separator: "/").count == 2 && !types.contains(declaration)
        }
        #expect(members.count > 50)
        for member in members {
            // The type is called like the module, so a link to its members begins with both.
            let link = member.hasPrefix("AccessEnabler/") ? "``AccessEnabler/\(member)``" : "``\(member)``"
            #expect(whole.contains(link), "\(link)")
        }
    }
}
